import type { FastifyInstance } from 'fastify';
import { acceptCallback, type CallbackDeps } from '../../domain/payment/connections/accept-callback.ts';
import { readBody } from '../../http/read-body.ts';

/** Stripe's events may carry a whole charge with all that was expanded in it. */
const CALLBACK_BYTES = 1024 * 1024;

/** What payment providers may tell us. In a scope of its own: only here a body is taken as the bytes that were signed. */
export function mountGateways(app: FastifyInstance, deps: CallbackDeps): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, payload, done) => {
      readBody(payload, request.routeOptions.bodyLimit, done);
    });

    const accept = async (companyId: string | null, body: unknown, header: string | string[] | undefined) => {
      await acceptCallback(deps, {
        companyId,
        header: Array.isArray(header) ? header.join(',') : header,
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      });
      return { received: true };
    };

    scope.post('/gateways/stripe', { bodyLimit: CALLBACK_BYTES }, ({ body, headers }) =>
      accept(null, body, headers['stripe-signature']),
    );

    scope.post<{ Params: { company_id: string } }>(
      '/gateways/stripe/:company_id',
      { bodyLimit: CALLBACK_BYTES },
      ({ params, body, headers }) => accept(params.company_id, body, headers['stripe-signature']),
    );
  });
}
