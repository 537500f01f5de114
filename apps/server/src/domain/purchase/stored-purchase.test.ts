import { ORDER_STATUSES, type OrderStatus, PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/contract';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { constraintOf, type Tx } from '../../db/db.ts';
import { sqlStateOf } from '../../db/sessions/database-errors.ts';
import { sql } from '../../db/sql.ts';
import { newId } from '../../kit/ids.ts';
import { findOrder, type LockedOrder, lockOrder, updateOrder } from '../order/order.sql.ts';
import { findPayment, updatePayment } from '../payment/payment.sql.ts';
import type { Payment } from '../payment/payment.ts';

const ENVIRONMENT = 'env_stored';
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database?.drop());

/** Which of its times a row has, beside those that every row has. */
type OrderTime = 'granted_at' | 'paid_at';
type PaymentTime = 'authorized_at' | 'captured_at' | 'refunded_at';

async function storeOrder(status: OrderStatus, times: readonly OrderTime[]): Promise<string> {
  const id = newId('ord');
  await database.db.query(sql('test_store_order')`
    insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, granted_at, paid_at,
                        created_at, expires_at, updated_at)
    values (${ENVIRONMENT}, ${id}, 'p', ${status}, 100, 'USD', '[]', '{}',
            case when ${times.includes('granted_at')}::boolean then app_now() end,
            case when ${times.includes('paid_at')}::boolean then app_now() end, app_now(), app_now(), app_now())`);
  return id;
}

async function storePayment(status: PaymentStatus, times: readonly PaymentTime[]): Promise<string> {
  const orderId = await storeOrder('created', []);
  const id = newId('pay');
  await database.db.query(sql('test_store_payment')`
    insert into payments (environment_id, id, order_id, player_id, status, gateway, method, amount_minor, currency,
                          authorized_at, captured_at, refunded_at, created_at, updated_at)
    values (${ENVIRONMENT}, ${id}, ${orderId}, 'p', ${status}, 'simulator', 'card', 100, 'USD',
            case when ${times.includes('authorized_at')}::boolean then app_now() end,
            case when ${times.includes('captured_at')}::boolean then app_now() end,
            case when ${times.includes('refunded_at')}::boolean then app_now() end, app_now(), app_now())`);
  return id;
}

const refusalOf = (stored: Promise<unknown>): Promise<string | null> =>
  stored.then(
    () => null,
    error => constraintOf(error) ?? String(error),
  );

const subsets = <Time>(times: readonly Time[]): Time[][] =>
  times.reduce<Time[][]>((sets, time) => sets.concat(sets.map(set => [...set, time])), [[]]);

/** The times that each status may have, by hand; every other row is refused. */
const ORDERS: Readonly<Record<OrderStatus, readonly (readonly OrderTime[])[]>> = {
  created: [[]],
  pending: [[]],
  authorized: [[], ['granted_at']],
  paid: [['granted_at', 'paid_at']],
  // The reservation may end after the game said yes.
  rejected: [[], ['granted_at']],
  canceled: [[]],
  expired: [[]],
  // Of a paid order, or of one whose money was only reserved.
  refund_requested: [[], ['granted_at'], ['granted_at', 'paid_at']],
  refunded: [[], ['granted_at'], ['granted_at', 'paid_at']],
  disputed: [['granted_at', 'paid_at']],
  charged_back: [['granted_at', 'paid_at']],
};

const A = 'authorized_at';
const C = 'captured_at';
const R = 'refunded_at';
/** A refund that failed leaves its time behind. */
const PAYMENTS: Readonly<Record<PaymentStatus, readonly (readonly PaymentTime[])[]>> = {
  pending: [[]],
  requires_action: [[]],
  authorized: [[A]],
  succeeded: [
    [A, C],
    [A, C, R],
  ],
  declined: [[]],
  abandoned: [[]],
  voided: [[A], [A, C], [A, R], [A, C, R]],
  refund_requested: [[A], [A, C], [A, R], [A, C, R]],
  refunded: [
    [A, R],
    [A, C, R],
  ],
  disputed: [
    [A, C],
    [A, C, R],
  ],
  charged_back: [
    [A, C],
    [A, C, R],
  ],
};

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join();

describe('the database refuses a row whose status and times contradict each other', () => {
  it.each(ORDER_STATUSES)('for an order that is %s', async status => {
    for (const times of subsets<OrderTime>(['granted_at', 'paid_at'])) {
      const isAllowed = ORDERS[status].some(allowed => same(allowed, times));
      const refusal = await refusalOf(storeOrder(status, times));
      expect(refusal === null, `${status} with ${times.join(' and ') || 'no time'}: ${refusal}`).toBe(isAllowed);
      if (refusal !== null) expect(refusal).toMatch(/^orders_/);
    }
  });

  it.each(PAYMENT_STATUSES)('for a payment that is %s', async status => {
    for (const times of subsets<PaymentTime>([A, C, R])) {
      const isAllowed = PAYMENTS[status].some(allowed => same(allowed, times));
      const refusal = await refusalOf(storePayment(status, times));
      expect(refusal === null, `${status} with ${times.join(' and ') || 'no time'}: ${refusal}`).toBe(isAllowed);
      if (refusal !== null) expect(refusal).toMatch(/^payments_/);
    }
  });

  it('also when a row is changed to it', async () => {
    const orderId = await storeOrder('authorized', ['granted_at']);
    const paid = database.db.query(sql('test_paid_without_time')`
      update orders set status = 'paid', version = version + 1 where id = ${orderId}`);
    expect(await refusalOf(paid)).toBe('orders_paid_has_its_times');
    const paymentId = await storePayment('authorized', [A]);
    const captured = database.db.query(sql('test_captured_without_time')`
      update payments set status = 'succeeded', version = version + 1 where id = ${paymentId}`);
    expect(await refusalOf(captured)).toBe('payments_captured_has_its_time');
  });
});

describe('a row that was changed since it was read', () => {
  const emailOf = async (id: string) => (await findOrder(database.db, ENVIRONMENT, id))!.order.email;
  const changeOrder = (tx: Pick<Tx, 'query'>, id: string) =>
    tx.query(
      sql(
        'test_change_order',
      )`update orders set problem = '[{"key":"silent"}]', version = version + 1 where id = ${id}`,
    );
  const changePayment = (tx: Pick<Tx, 'query'>, id: string) =>
    tx.query(
      sql(
        'test_change_payment',
      )`update payments set problem = '[{"key":"silent"}]', version = version + 1 where id = ${id}`,
    );

  it.each(['transaction', 'shared'] as const)('makes the %s be done again from the start', async kind => {
    const id = await storeOrder('created', []);
    let tries = 0;
    const work = async (tx: Tx): Promise<void> => {
      const locked = (await lockOrder(tx, ENVIRONMENT, id))!;
      tries++;
      // Another writer that took no lock: it can only be this transaction itself, else it would wait.
      if (tries === 1) await changeOrder(tx, id);
      updateOrder(tx, locked, { ...locked.order, email: `try ${tries}` });
    };
    await (kind === 'shared' ? database.db.shared(id, work) : database.db.transaction(work));
    expect(tries).toBe(2);
    expect(await emailOf(id)).toBe('try 2');
  });

  it('is never overwritten by what was decided from the old one', async () => {
    const id = await storeOrder('created', []);
    const stale = (await findOrder(database.db, ENVIRONMENT, id))! as unknown as LockedOrder;
    await changeOrder(database.db, id);
    const written = database.db.transaction(async tx => {
      updateOrder(tx, stale, { ...stale.order, problem: null, email: 'late' });
    });
    await expect(written).rejects.toSatisfy(error => sqlStateOf(error) === '40001');
    expect(await findOrder(database.db, ENVIRONMENT, id)).toMatchObject({
      order: { problem: [{ key: 'silent' }], email: null, version: 2 },
    });
  });

  it('is refused for a payment too, and a save answers the version that stands now', async () => {
    const id = await storePayment('pending', []);
    const read = async () => (await findPayment(database.db, ENVIRONMENT, id))!;
    const stale = await read();
    await changePayment(database.db, id);
    const save = (payment: Payment) =>
      database.db.transaction(async tx => updatePayment(tx, { ...payment, responseCode: '16' }, null));
    await expect(save(stale)).rejects.toSatisfy(error => sqlStateOf(error) === '40001');
    expect(await read()).toMatchObject({ problem: [{ key: 'silent' }], responseCode: null });
    const saved = await save(await read());
    expect(saved).toMatchObject({ version: 3, responseCode: '16' });
    expect(await read()).toEqual(saved);
  });

  it('is refused for every column that a rule reads, whichever statement writes it', async () => {
    const orderId = await storeOrder('created', []);
    const paymentId = await storePayment('pending', []);
    const blind = [
      sql('test_blind_order')`update orders set status = 'canceled' where id = ${orderId}`,
      sql('test_blind_amount')`update orders set amount_minor = 1 where id = ${orderId}`,
      sql('test_blind_message')`update orders set player_message = 'no' where id = ${orderId}`,
      sql('test_blind_payment')`update payments set status = 'declined' where id = ${paymentId}`,
      sql('test_blind_attention')`update payments set attention = '{}' where id = ${paymentId}`,
    ];
    for (const statement of blind) {
      const state = await database.db.query(statement).then(() => 'written', sqlStateOf);
      expect(state, statement.text).toBe('40001');
    }
  });

  it('is not meant by the date of the next look, which belongs to the queue', async () => {
    const id = await storePayment('pending', []);
    await database.db.query(sql('test_next_look')`update payments set next_check_at = app_now() where id = ${id}`);
    expect(await findPayment(database.db, ENVIRONMENT, id)).toMatchObject({ version: 1 });
  });
});
