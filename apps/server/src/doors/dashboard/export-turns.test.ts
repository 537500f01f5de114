import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROWS = { live: 5_000, sandbox: 20_000 };

let shop: TestProgram;
let owner: TestMember;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = await signedInMember(shop, 'owner');
  for (const mode of ['live', 'sandbox'] as const) {
    await shop.database.db.query({
      name: '',
      text: `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at,
                                 expires_at, updated_at)
             select $1, 'ord_' || lpad(n::text, 26, '0'), 'p', 'expired', 100, 'USD', '[]', '{}', app_now(), app_now(), app_now()
             from generate_series(1, $2::int) n`,
      values: [shop.account[mode].environmentId, ROWS[mode]],
    });
  }
});

afterAll(() => shop?.close());

const ask = ({ browser }: TestMember, mode: keyof typeof ROWS): Promise<Response> =>
  browser.fetch('GET', `/games/${shop.account.gameId}/${mode}/orders/export?columns=order_id`);

/** As soon as an export before has given its place back. */
async function askUntilFree(member: TestMember, mode: keyof typeof ROWS): Promise<Response> {
  for (;;) {
    const answer = await ask(member, mode);
    if (answer.status !== 429) return answer;
  }
}

it('a company has two exports at once, for all of its members together, and each is whole (row 268)', async () => {
  const others = await Promise.all([signedInMember(shop, 'viewer'), signedInMember(shop, 'viewer')]);
  const answers = await Promise.all([owner, ...others].map(one => ask(one, 'live')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  for (const answer of answers) {
    const text = await answer.text();
    if (answer.status === 200) expect(text.split('\n').filter(line => line.startsWith('ord_'))).toHaveLength(ROWS.live);
    else expect([answer.headers.get('retry-after'), text]).toEqual(['30', expect.stringContaining('rate_limited')]);
  }
  // A reader that leaves gives its place back.
  for (let times = 0; times < 4; times++) {
    const answer = await askUntilFree(owner, 'live');
    expect(answer.status).toBe(200);
    await answer.body!.cancel();
  }
});

it('an export that is under way breaks off when an owner ends the sessions of its member (row 269)', async () => {
  const member = await signedInMember(shop, 'viewer');
  const answer = await askUntilFree(member, 'sandbox');
  const reader = answer.body!.getReader();
  await reader.read();
  const path = `/companies/${shop.account.companyId}/members/${member.userId}/sessions`;
  expect((await owner.browser.call('DELETE', path)).status).toBe(204);
  await shop.database.advance(6);
  await shop.program.parts.clock.refresh();
  const readOn = async () => {
    for (;;) if ((await reader.read()).done) return;
  };
  await expect(readOn()).rejects.toThrow('terminated');
});
