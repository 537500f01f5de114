import * as contract from '@coinslot/contract';
import { listPayments } from '../../domain/payment/payment.sql.ts';
import { paymentView, paymentViews, readPayment } from '../../domain/payment/payment-view.ts';
import { fromUnix, pageOf } from '../../http/paging.ts';
import type { S2sMount, S2sShop } from './s2s-shop.ts';

export function mountPayments(mount: S2sMount, { db }: S2sShop): void {
  mount(contract.listPayments, ({ query, context: { environment } }) =>
    pageOf(
      query,
      'pay',
      (beforeId, limit) =>
        listPayments(db, environment.id, {
          orderId: query.order_id ?? null,
          playerId: query.player_id ?? null,
          needsAttention: query.attention === 'true',
          status: query.status ?? null,
          createdFrom: fromUnix(query.created_from),
          createdTo: fromUnix(query.created_to),
          beforeId,
          limit,
        }),
      rows => paymentViews(db, environment, rows),
    ),
  );

  mount(contract.getPayment, async ({ params, context: { environment } }) => {
    const payment = await readPayment(db, environment.id, params.payment_id);
    return paymentView(db, environment, payment);
  });
}
