import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../kit/app-error.ts';

interface Route {
  path: RegExp;
  methods: Set<string>;
}

function pattern(route: string): RegExp {
  const parts = route.split('/').map(part => {
    if (part.startsWith(':')) return '[^/]+';
    return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  });
  return new RegExp(`^${parts.join('/')}$`);
}

function methodsAt(path: string, routes: Iterable<Route>): string[] {
  const allowed = new Set<string>();
  for (const route of routes) {
    if (route.path.test(path)) for (const method of route.methods) allowed.add(method);
  }
  return [...allowed].toSorted((a, b) => (a < b ? -1 : 1));
}

/**
 * Remembers every route, because the router cannot distinguish a wrong method (405) from a wrong path (404). Must be called
 * before the routes are added. The function that it returns answers a request for which no route was found.
 */
export function watchRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => void {
  const routes = new Map<string, Route>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { path: pattern(url), methods: new Set() };
    for (const name of Array.isArray(method) ? method : [method]) route.methods.add(name);
    routes.set(url, route);
  });
  return (request, reply) => {
    const allowed = methodsAt(request.url.split('?', 1)[0] ?? '', routes.values());
    if (allowed.length === 0) throw new AppError('not_found');
    const allow = [...allowed, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') void reply.code(204).header('allow', allow).send();
    else throw new AppError('method_not_allowed', { detail: `This path takes ${allow}.`, headers: { allow } });
  };
}
