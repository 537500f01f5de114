import { describe, expect, test } from 'vitest';
import { CARDS, patience } from '../game-studio.ts';
import { account, coinslot, receiver, studio } from './stage.ts';

export function whatTheServiceDoes(): void {
  describe('What the service does', () => {
    test('an account is registered first; at the end of registration the link to a mobile game is added', async () => {
      expect(account).toMatchObject({
        company_id: expect.stringMatching(/^cmp_/),
        game_id: expect.stringMatching(/^game_/),
        sandbox: { s2s_key: expect.any(String) },
        live: { s2s_key: expect.any(String) },
      });
      const flags = ['--email', 'other@studio.example', '--password', 'orange lamp on the roof', '--company', 'Other'];
      const notAStore = coinslot.run('setup', ...flags, '--game-url', 'https://example.com/game', '--json');
      await expect(notAStore).rejects.toThrow('--game-url');
    });

    test('sandbox simulates payments; sandbox supports card payments only', async () => {
      const order = await studio.createOrder();
      const html = await studio.page(order.checkout_url);
      expect(html).toContain('No real money moves');
      expect(html.match(/autocomplete="[^"]+"/g)).toEqual(
        ['email', 'cc-number', 'cc-exp', 'cc-csc', 'postal-code'].map(name => `autocomplete="${name}"`),
      );
      expect(html).not.toMatch(/paypal|apple pay|google pay/i);
    });

    test('flow: create, redirect, pay, item.add, 2xx, deep link; reversed, item.remove', async () => {
      const order = await studio.createOrder({
        items: [{ sku: 'sword' }, { sku: 'gems' }],
        back_to_game_url: 'castle://shop',
      });
      expect(order).toMatchObject({ order_id: expect.any(String), checkout_url: expect.any(String) });
      expect(await studio.page(order.checkout_url)).not.toContain('castle://');
      await studio.pay(order.checkout_url);
      await studio.becomes(order.order_id, 'paid');
      expect(receiver.inventory.get('player-1')).toEqual(['sword', 'gems']);
      expect(await studio.page(order.checkout_url)).toContain('castle://shop');
      await studio.call('POST', `/s2s/v1/orders/${order.order_id}/refund`);
      await studio.becomes(order.order_id, 'refunded');
      await expect.poll(() => receiver.inventory.get('player-1'), patience).toEqual([]);
    });

    test('after a successful payment a receipt is sent to the e-mail address entered on the form', async () => {
      const order = await studio.createOrder({
        email: 'prefilled@example.com',
        items: [{ sku: 'sword', name: 'Sword of Dawn' }],
      });
      await studio.pay(order.checkout_url, CARDS.good, { email: 'entered@example.com' });
      const findMail = async () => {
        const mails: { id: string; recipient: string }[] = JSON.parse(await coinslot.run('mails', '--json'));
        return mails.find(({ recipient }) => recipient === 'entered@example.com')?.id;
      };
      await expect.poll(findMail, patience).toBeTruthy();
      const mail = await coinslot.run('mails', String(await findMail()));
      for (const fact of ['Sword of Dawn', order.order_id, '1.00', 'Castle Quest']) expect(mail).toContain(fact);
      expect(await coinslot.run('mails')).not.toContain('prefilled@example.com');
    });

    test('a transaction record appears; unsuccessful payments also appear there', async () => {
      const order = await studio.createOrder();
      await studio.pay(order.checkout_url, CARDS.decline);
      await studio.pay(order.checkout_url);
      await studio.becomes(order.order_id, 'paid');
      expect(await studio.transactionsOf(order.order_id)).toMatchObject([
        { status: 'succeeded', amount: 100, currency: 'USD' },
        { status: 'declined', amount: 100, currency: 'USD' },
      ]);
    });

    test('sandbox test cards: the success card is a credit-card brand with country GB', async () => {
      const [transaction] = await studio.transactionsOf(await studio.buy());
      expect(transaction).toMatchObject({ status: 'succeeded', method: 'card', brand: 'visa', country: 'GB' });
    });

    test('the decline card returns response code 16 with description "Payment declined"', async () => {
      const order = await studio.createOrder();
      await studio.pay(order.checkout_url, CARDS.decline);
      expect(await studio.transactionsOf(order.order_id)).toMatchObject([
        { status: 'declined', response_code: '16', response_description: 'Payment declined' },
      ]);
      expect(receiver.received).toEqual([]);
    });

    const choices: [string, Record<string, string>][] = [
      ['any 3-digit CVV', { 'cc-csc': '000' }],
      ['another 3-digit CVV', { 'cc-csc': '987' }],
      ['any future expiry date', { 'cc-exp': '01/99' }],
      ['any future expiry date, the year in four digits', { 'cc-exp': '11 / 2035' }],
      ['any postal code as billing address', { 'postal-code': 'SW1A 1AA' }],
    ];
    test.each(choices)('test cards accept %s', async (_, fields) => {
      const order = await studio.createOrder();
      await studio.pay(order.checkout_url, CARDS.good, fields);
      await studio.becomes(order.order_id, 'paid');
    });
  });
}
