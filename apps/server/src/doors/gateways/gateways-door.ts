import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptCallback } from '../../domain/payment/callbacks/accept-callback.ts';
import type { PaymentShop } from '../../domain/payment/payment-shop.ts';
import { readBody } from '../../http/read-body.ts';
import { AppError } from '../../kit/app-error.ts';

/** An event may carry a whole charge with all that was expanded in it. */
const CALLBACK_BYTES = 1024 * 1024;

/** Strangers can send as many as they like: one line in a second is enough to find a wrong secret by. */
const LINE_EVERY_MS = 1_000;

function refusalLog({ clock }: PaymentShop, provider: string) {
  let saidMs = Number.NEGATIVE_INFINITY;
  return (error: unknown, { log, id }: FastifyRequest, companyId: string | null): void => {
    const nowMs = clock.nowMs();
    if (!(error instanceof AppError) || Math.abs(nowMs - saidMs) < LINE_EVERY_MS) return;
    saidMs = nowMs;
    const { code, message } = error;
    log.warn({ request_id: id, provider, company_id: companyId, code, detail: message }, 'a callback was refused');
  };
}

/** The callbacks of payment providers. In a scope of its own: only here a body is taken as the bytes that were signed. */
export function mountGateways(app: FastifyInstance, shop: PaymentShop): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, payload, done) => {
      readBody(payload, request.routeOptions.bodyLimit, done);
    });

    for (const { provider, directory } of shop.merchantAccounts.list) {
      const say = refusalLog(shop, provider.name);
      const accept = async (companyId: string | null, request: FastifyRequest) => {
        const { body, headers } = request;
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        await acceptCallback(shop, { provider, directory, companyId, headers, body: bytes }).catch((error: unknown) => {
          say(error, request, companyId);
          throw error;
        });
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
