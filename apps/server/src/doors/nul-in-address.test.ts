import { dashboardEndpoints, ENDPOINTS } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A NUL is no text that PostgreSQL holds: wherever a caller can put one, it must be refused before a statement has it. */

let shop: TestProgram;
let owner: TestBrowser;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = (await signedInMember(shop, 'owner')).browser;
});

afterAll(() => shop?.close());

interface Described {
  method: string;
  path: string;
  query?: { properties?: object };
}

const filled = (path: string, own: Record<string, string> = {}): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => own[name] ?? '%00');

describe('a NUL in an address is no failure of the program (row 188)', () => {
  it.each(['/c/%00', '/c/%00/pay', '/docs/%00', '/dashboard/%00', '/gateways/paypal/%00/x', '/gateways/mollie/x/%00'])(
    'of a stranger: %s',
    async path => {
      for (const init of [{}, { method: 'POST', body: 'x=1' }])
        expect((await fetch(shop.url + path, { redirect: 'manual', ...init })).status).toBeLessThan(500);
    },
  );

  it('of a game: in every path of the API', async () => {
    const calls = Object.values<Described>(ENDPOINTS).filter(({ path }) => path.includes('{'));
    expect(calls.length).toBeGreaterThan(5);
    for (const { method, path } of calls) {
      const { status } = await shop.call(method, filled(path), method === 'GET' ? undefined : {});
      expect(status, `${method} ${path}`).toBeLessThan(500);
    }
  });

  it('of a member: in every path and every query of the dashboard', async () => {
    const own = { company_id: shop.account.companyId, game_id: shop.account.gameId, mode: 'sandbox' };
    // One is a stream without an end, one ends the session.
    const calls = Object.values<Described>(dashboardEndpoints).filter(({ path }) => !/changes$|sign-out/.test(path));
    expect(calls.length).toBeGreaterThan(50);
    for (const { method, path, query } of calls) {
      const at = filled(path.replace('/dashboard/api', ''), own);
      const named = Object.keys(query?.properties ?? {}).map(name => `${name}=%00`);
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const { status } = await owner.call(method, `${at}?${named.join('&')}`, body);
      expect(status, `${method} ${path}`).toBeLessThan(500);
    }
  });
});

it('a parameter that no call declares is ignored, also where the answer is a file (row 201)', async () => {
  const own = { company_id: shop.account.companyId, game_id: shop.account.gameId, mode: 'sandbox' };
  const reads = Object.values<Described>(dashboardEndpoints).filter(
    ({ method, path }) => method === 'GET' && !path.endsWith('changes'),
  );
  for (const { path, query } of reads) {
    if (!query) continue;
    const { status } = await owner.call('GET', `${filled(path.replace('/dashboard/api', ''), own)}?no_such_field=1`);
    expect(status, path).toBeLessThan(500);
  }
});
