import type { FastifyInstance } from 'fastify';

interface Route {
  path: RegExp;
  methods: Set<string>;
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

function pattern(route: string): RegExp {
  const parts = route.split('/').map(part => {
    if (part.startsWith(':')) return '[^/]+';
    return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  });
  return new RegExp(`^${parts.join('/')}$`);
}

/**
 * Remembers every route, to tell a wrong method (405) from a wrong path (404). The router cannot say it, and it is asked only
 * when a request found nothing. Must be called before the routes are added.
 */
export function watchRoutes(app: FastifyInstance): (url: string) => string[] {
  const routes = new Map<string, Route>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { path: pattern(url), methods: new Set() };
    for (const name of Array.isArray(method) ? method : [method]) route.methods.add(name);
    routes.set(url, route);
  });
  return url => {
    const path = pathOf(url);
    const allowed = new Set<string>();
    for (const route of routes.values()) {
      if (route.path.test(path)) for (const method of route.methods) allowed.add(method);
    }
    return [...allowed].toSorted((a, b) => (a < b ? -1 : 1));
  };
}
