import type { ErasedPlayer } from '@coinslot/contract';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop?.close());

const query = <Row>(text: string): Promise<Row[]> => shop.database.db.query<Row>({ name: '', text, values: [] });
const deletions = (): number =>
  shop.stripe.requests.filter(request => request.startsWith('DELETE /v1/customers/')).length;

/** A player with a customer and a card there. */
async function buyAndKeep(playerId: string): Promise<string> {
  const order = await shop.order({ player_id: playerId });
  const token = shop.stripe.token('pm_card_visa', { save: true });
  await shop.payWith(order, { kind: 'provider_token', token }, { saveMethod: true });
  await shop.later(2);
  return shop.stripe.intentOf(await shop.lastPayment(order)).customer!;
}

const erase = (playerId: string) =>
  shop.call<ErasedPlayer>('DELETE', `/s2s/v1/players/${playerId}`, undefined, { key: shop.account.live.s2sKey });

describe('a player who is erased', () => {
  it('goes at the provider too, with what was kept there, and nothing names the player meanwhile', async () => {
    const customer = await buyAndKeep('ada');
    const other = await buyAndKeep('grace');
    expect(await query('select id from saved_methods')).toHaveLength(2);
    expect((await erase('ada')).status).toBe(200);
    const jobs = await query<{ line: string }>(
      `select row_to_json(j)::text as line from jobs j where name like '%.forget'`,
    );
    expect(jobs).toHaveLength(2);
    // Not the three letters alone: a random id may have them.
    for (const { line } of jobs) expect(line).not.toContain('"ada"');
    await shop.later(2);
    expect(shop.stripe.store.customers.has(customer)).toBe(false);
    expect([...shop.stripe.store.methods.values()].filter(method => method.customer === customer)).toEqual([]);
    expect(shop.stripe.store.customers.has(other)).toBe(true);
    expect(await query(`select customer_id from provider_customers`)).toEqual([{ customer_id: other }]);
  });

  it('is asked for again until the provider has answered, and one that is gone already is gone', async () => {
    const customer = await buyAndKeep('linus');
    shop.stripe.faults.plan(/^DELETE \/v1\/customers\/\w+$/, { kind: 'lose_answer' });
    const before = deletions();
    expect((await erase('linus')).status).toBe(200);
    await shop.later(2);
    expect(shop.stripe.store.customers.has(customer)).toBe(false);
    await shop.later(3_600);
    expect(deletions() - before).toBe(2);
    expect(await query(`select 1 from provider_customers where customer_id = '${customer}'`)).toEqual([]);
    expect(await query(`select 1 from jobs where name like '%.forget'`)).toEqual([]);
  });

  it('has no card saved afterwards by a job that was still waiting', async () => {
    const order = await shop.order({ player_id: 'alan' });
    const token = shop.stripe.token('pm_card_visa', { save: true });
    await shop.payWith(order, { kind: 'provider_token', token }, { saveMethod: true });
    const { body } = await erase('alan');
    await shop.later(2);
    expect(await query(`select 1 from saved_methods where player_id in ('alan', '${body.digest}')`)).toEqual([]);
  });
});
