import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptCallback, type Callback } from '../../domain/payment/callbacks/accept-callback.ts';
import type { PaymentShop } from '../../domain/payment/payment-shop.ts';
import { readBody } from '../../http/read-body.ts';
import { AppError } from '../../kit/app-error.ts';

/** An event may carry a whole charge with all that was expanded in it. */
const CALLBACK_BYTES = 1024 * 1024;

/** Strangers can send as many as they like: one line in a second is enough to find a wrong secret by. */
const LINE_EVERY_MS = 1_000;

function refusalLog({ clock }: PaymentShop, provider: string) {
  let saidMs = Number.NEGATIVE_INFINITY;
  return (error: unknown, { log, id }: FastifyRequest, address: Callback['address']): void => {
    const nowMs = clock.nowMs();
    if (!(error instanceof AppError) || Math.abs(nowMs - saidMs) < LINE_EVERY_MS) return;
    saidMs = nowMs;
    const { code, message } = error;
    const { companyId = null, accountId = null } = address ?? {};
    const whose = { company_id: companyId, account_id: accountId };
    log.warn({ request_id: id, provider, ...whose, code, detail: message }, 'a callback was refused');
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
      const accept = async (address: Callback['address'], request: FastifyRequest) => {
        const { body, headers } = request;
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        await acceptCallback(shop, { provider, directory, address, headers, body: bytes }).catch((error: unknown) => {
          say(error, request, address);
          throw error;
        });
        return { received: true };
      };
      const path = `/gateways/${provider.name}`;

      scope.post(path, { bodyLimit: CALLBACK_BYTES }, request => accept(null, request));

      scope.post<{ Params: { company_id: string; account_id: string } }>(
        `${path}/:company_id/:account_id`,
        { bodyLimit: CALLBACK_BYTES },
        request => accept({ companyId: request.params.company_id, accountId: request.params.account_id }, request),
      );
    }
  });
}
