import { GOOD_CARD, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const DECLINED = '4832 2850 6160 9015';

describe('an order in sandbox (row 109)', () => {
  let program: TestProgram;
  beforeAll(async () => {
    program = await startProgram({ workers: false, env: { ATTEMPTS_PER_ORDER: '3', ATTEMPTS_PER_PLAYER: '1' } });
  });
  afterAll(() => program?.close());

  it('takes so many declined attempts in an hour, then page and API say when to try again', async () => {
    const order = await program.createOrder();
    for (let n = 0; n < 3; n++) expect((await program.pay(order.checkout_url, DECLINED)).status).toBe(303);
    const refused = await program.pay(order.checkout_url);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(await refused.text()).toMatch(
      /Too many cards were declined\. You were not charged\. Try again in (?:59|60) minutes/,
    );
    const answer = await program.call('POST', `/s2s/v1/orders/${order.order_id}/pay`, { card: 'success' });
    expect([answer.status, answer.body.code]).toEqual([429, 'too_many_attempts']);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);

    await program.later(3_601);
    expect((await program.pay(order.checkout_url)).status).toBe(303);
  });

  it('is not held up by what the player did elsewhere', async () => {
    for (let n = 0; n < 3; n++) {
      const order = await program.createOrder();
      expect((await program.pay(order.checkout_url, DECLINED)).status).toBe(303);
    }
  });
});

describe('a live shop (row 109)', () => {
  let shop: LiveShop;
  const env = {
    LIVE_GATEWAY: 'simulator',
    ATTEMPTS_PER_PLAYER: '3',
    ATTEMPTS_PER_ADDRESS: '5',
  };
  beforeAll(async () => {
    shop = await startLiveShop({ workers: false, env });
  });
  afterAll(async () => {
    await shop?.game.close();
    await shop?.close();
  });

  const tryCard = async (player: string, card = DECLINED): Promise<number> => {
    const order = await shop.order({ player_id: player });
    return (await shop.post(order, '/pay', { ...GOOD_CARD, card_number: card, method: 'card' })).status;
  };

  it('stops a player over many orders, and an address over many players; no address is stored', async () => {
    const tried = [];
    for (let n = 0; n < 4; n++) tried.push(await tryCard('tester'));
    expect(tried).toEqual([303, 303, 303, 429]);
    expect([await tryCard('second'), await tryCard('third')]).toEqual([303, 303]);
    expect(await tryCard('fourth', GOOD_CARD.card_number)).toBe(429);
    const [row] = await shop.database.db.query<{ found: string }>({
      name: 't_network',
      text: 'select string_agg(distinct payer_network, $1) as found from payments',
      values: [' '],
    });
    expect(row!.found).toMatch(/^[\w-]{22}$/);
  });
});
