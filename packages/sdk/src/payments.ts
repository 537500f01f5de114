import type { ListPaymentsQuery, Payment } from './api-shapes.ts';
import { bodyOf, listCall, optionsOf, type Request } from './caller.ts';
import { checkId } from './input-check.ts';
import type { Listing } from './listing.ts';
import type { CallOptions } from './send-request.ts';
import { PAYMENT_STATUSES } from './word-shapes.ts';

export interface Payments {
  get(paymentId: string, options?: CallOptions): Promise<Payment>;
  /** Transaction records, newest first, including unsuccessful ones. */
  list(filter?: ListPaymentsQuery, options?: CallOptions): Listing<Payment>;
}

const PATH = '/s2s/v1/payments';
const FILTERS = ['limit', 'cursor', 'order_id', 'player_id', 'status', 'attention', 'created_from', 'created_to'];

export const createPayments = (request: Request): Payments => ({
  get: async (paymentId, options = {}) => {
    const path = `${PATH}/${checkId('payments.get', 'paymentId', paymentId, 'pay')}`;
    return bodyOf(request<Payment>({ method: 'GET', path, ...optionsOf(options) }));
  },
  list: (filter = {}, options = {}) =>
    listCall<Payment>(request, {
      name: 'payments.list',
      path: PATH,
      filter,
      options,
      words: { status: PAYMENT_STATUSES },
      known: FILTERS,
    }),
});
