import type { TestBrowser } from '@coinslot/testing/dashboard';
import { describe, expect, test } from 'vitest';
import { patience } from './game-studio.ts';
import type { Account } from './start-coinslot.ts';

interface Stage {
  s2s(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; body: Record<string, string> }>;
  ofGame(path: string, mode?: string): string;
  ofCompany(path: string): string;
  owner(): TestBrowser;
  account(): Account;
  register(email: string, address: string): Promise<TestBrowser>;
  signInSoon(browser: TestBrowser, email: string): Promise<void>;
}

/** What is for sandbox tried in live, and what belongs to one tenant tried by another. */
export function tryToolsAndTenants({ s2s, ofGame, ofCompany, owner, account, register, signInSoon }: Stage): void {
  describe('what is for trying things out', () => {
    test('is refused in live: chaos, time travel, test payments, made-up events, listening and exams', async () => {
      const key = account().live.s2s_key;
      const priced = { player_id: 'p', items: [{ sku: 'gems' }], price_decimal: 1, currency: 'USD' };
      const { order_id: id } = (await s2s('POST', '/orders', priced, key)).body;
      const tried = [
        await owner().call('PUT', ofGame('/chaos', 'live'), { enabled: true }),
        await owner().call('POST', ofGame('/exams', 'live'), { url: 'https://hooks.example.com/', language: 'node' }),
        await s2s('POST', `/sandbox/orders/${id}/advance`, { seconds: 86_400 }, key),
        await s2s('POST', `/orders/${id}/pay`, {}, key),
        await s2s('POST', '/events/trigger', { event_type: 'item.add' }, key),
        await s2s('GET', '/listen', undefined, key),
      ];
      for (const { status, body } of tried) expect([status, body.code]).toEqual([403, 'sandbox_only']);
      expect((await s2s('POST', `/sandbox/orders/${id}/advance`, { seconds: 86_400 })).status).toBe(404);
    });

    test('an exam asks no address inside the network, neither of the receiver nor of the inventory', async () => {
      const inside = [
        'https://10.0.0.1/',
        'https://[::1]/',
        'https://[::ffff:10.0.0.1]/',
        'https://metadata.google.internal/',
      ];
      for (const url of [
        ...inside,
        'https://0/',
        'http://169.254.169.254/',
        'file:///etc/passwd',
        'https://a:b@x.example/',
      ]) {
        const exam = { url: 'https://hooks.example.com/', language: 'node' };
        expect((await owner().call('POST', ofGame('/exams'), { ...exam, url })).status, url).toBe(422);
        expect((await owner().call('POST', ofGame('/exams'), { ...exam, inventory_url: url })).status, url).toBe(422);
      }
    });
  });

  test('bulk actions, exams, exports and attention of another tenant are not there', async () => {
    const browser = await register('bulk@evil.example', '198.51.100.60');
    await signInSoon(browser, 'bulk@evil.example');
    const own = `/games/${(await browser.open()).companies[0]!.games[0]!.id}/sandbox`;
    const { order_id: id } = (await s2s('POST', '/orders', { player_id: 'p', items: [{ sku: 'gems' }] })).body;
    const bulk = { action: 'refund', order_ids: [id], reason: 'x' };
    const { body: run } = await owner().call<{ id: string }>('POST', ofGame('/bulk'), bulk);
    const paths = ['/bulk', '/exams', '/attention', '/orders/export', '/transactions/export', '/keys', `/orders/${id}`];
    for (const path of paths) expect((await browser.call('GET', ofGame(path))).status, path).toBe(404);
    for (const at of [ofGame(''), own])
      expect((await browser.call('POST', `${at}/bulk/${run.id}/stop`, {})).status).toBe(404);
    await browser.call('POST', `${own}/bulk`, bulk);
    const refused = async () =>
      (await browser.call<{ data: { refused: object[] }[] }>('GET', `${own}/bulk`)).body.data[0]?.refused;
    await expect.poll(refused, patience).toEqual([{ order_id: id, code: 'order_not_found', detail: null }]);
    for (const path of ['/audit', '/providers', '/members', '/reconciliation/days/2026-01-01/export'])
      expect((await browser.call('GET', ofCompany(path))).status, path).toBe(404);
  });
}
