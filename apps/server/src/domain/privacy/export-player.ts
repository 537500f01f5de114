import type { PlayerExport } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { findPlayer } from '../catalog/catalog.sql.ts';
import { playerView } from '../catalog/catalog-views.ts';
import type { Environment } from '../game/environment.ts';
import type { CheckoutUrlOf } from '../order/checkout-token.ts';
import { listOrders } from '../order/order.sql.ts';
import { orderView } from '../order/order-view.ts';
import { listPayments } from '../payment/payment.sql.ts';
import { paymentViews } from '../payment/payment-view.ts';
import { listMailsTo, listMethodsOf } from './player-data.sql.ts';

/** An order holds up to 20 KB, and nothing else is served while a step is written. */
const STEP = 100;

const ALL = {
  orderId: null,
  status: null,
  needsAttention: false,
  createdFrom: null,
  createdTo: null,
  limit: STEP,
} as const;

/** In steps, the newest first. */
async function* stepsOf<Row>(
  read: (beforeId: string | null) => Promise<Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  for (let beforeId: string | null = null; ; ) {
    const rows: Row[] = await read(beforeId);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < STEP) return;
    beforeId = idOf(last);
  }
}

/** The elements of a list, with what stands between them and those before. */
const elementsOf = (rows: readonly object[], isFirst: boolean): string =>
  (isFirst ? '' : ',') + rows.map(row => JSON.stringify(row)).join(',');

const mailsIn = async (db: Queryable, { id }: Environment, paymentIds: string[]): Promise<PlayerExport['mails']> => {
  const mails = await listMailsTo(db, id, paymentIds);
  return mails.map(({ createdAt, ...mail }) => ({ ...mail, created_at: toUnixSeconds(createdAt) }));
};

/** Everything that is known of a player, for the player: the text of a `PlayerExport`, in pieces of a bounded size. */
export async function exportPlayer(
  { db, checkoutUrlOf }: { db: Queryable; checkoutUrlOf: CheckoutUrlOf },
  environment: Environment,
  playerId: string,
): Promise<AsyncGenerator<string>> {
  const { id } = environment;
  const readOrders = (beforeId: string | null, limit: number = STEP) =>
    listOrders(db, id, { ...ALL, playerId, beforeId, limit });
  const readPayments = (beforeId: string | null) => listPayments(db, id, { ...ALL, playerId, beforeId });
  const [player, methods, newest] = await Promise.all([
    findPlayer(db, id, playerId),
    listMethodsOf(db, id, playerId),
    readOrders(null, 1),
  ]);
  if (!player && newest.length === 0) throw new AppError('player_not_found');
  const saved = methods.map(({ expiryMonth, expiryYear, createdAt, ...method }) => ({
    ...method,
    expiry_month: expiryMonth,
    expiry_year: expiryYear,
    created_at: toUnixSeconds(createdAt),
  }));

  async function* write(): AsyncGenerator<string> {
    yield `{"player":${JSON.stringify(player && playerView(environment, player))},"orders":[`;
    let isFirst = true;
    for await (const rows of stepsOf(readOrders, ({ order }) => order.id)) {
      const views = rows.map(found => orderView(environment, found, checkoutUrlOf));
      yield elementsOf(views, isFirst);
      isFirst = false;
    }
    yield '],"payments":[';
    isFirst = true;
    const mails: PlayerExport['mails'] = [];
    for await (const rows of stepsOf(readPayments, payment => payment.id)) {
      yield elementsOf(await paymentViews(db, environment, rows), isFirst);
      mails.push(
        ...(await mailsIn(
          db,
          environment,
          rows.map(payment => payment.id),
        )),
      );
      isFirst = false;
    }
    yield `],"saved_methods":${JSON.stringify(saved)},"mails":${JSON.stringify(mails)}}`;
  }
  return write();
}
