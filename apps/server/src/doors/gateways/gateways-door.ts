import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptCallback, type CallbackDeps } from '../../domain/payment/connections/accept-callback.ts';
import { readBody } from '../../http/read-body.ts';

/** An event may carry a whole charge with all that was expanded in it. */
const CALLBACK_BYTES = 1024 * 1024;

/** What payment providers may tell us. In a scope of its own: only here a body is taken as the bytes that were signed. */
export interface GatewayDoorDeps extends Omit<CallbackDeps, 'provider' | 'directory'> {
  connections: readonly Pick<CallbackDeps, 'provider' | 'directory'>[];
}

export function mountGateways(app: FastifyInstance, { connections, ...common }: GatewayDoorDeps): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, payload, done) => {
      readBody(payload, request.routeOptions.bodyLimit, done);
    });

    for (const { provider, directory } of connections) {
      const deps = { ...common, provider, directory };
      const accept = async (companyId: string | null, { body, headers }: FastifyRequest) => {
        await acceptCallback(deps, { companyId, headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) });
        return { received: true };
      };
      const path = `/gateways/${provider.name}`;

      scope.post(path, { bodyLimit: CALLBACK_BYTES }, request => accept(null, request));

      scope.post<{ Params: { company_id: string } }>(`${path}/:company_id`, { bodyLimit: CALLBACK_BYTES }, request =>
        accept(request.params.company_id, request),
      );
    }
  });
}
