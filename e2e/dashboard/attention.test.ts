import { signedInMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { badLine } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { refusal } from '@coinslot/testing/unreliable-gateway';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { patience } from '../game-studio.ts';
import { inSequence } from '../in-sequence.ts';
import { DESK, expectGood, NARROW } from './look.ts';

/** A support member goes through what needs attention, each test going on from the one before. */

const FINAL = { kind: 'refuse', refusal: refusal({ isFinal: true, reason: 'The reservation is gone.' }) } as const;
const PASSING = { kind: 'refuse', refusal: refusal({ reason: 'The balance is too low.' }) } as const;

const line = badLine();
let shop: TestProgram;
let game: Game;
let browser: Browser;
let page: Page;
let place: string;

async function pageOf(role: 'support' | 'viewer', options: { locale?: string } = {}): Promise<Page> {
  const member = await signedInMember(shop, role);
  const context = await browser.newContext({ viewport: DESK, locale: 'en-US', reducedMotion: 'reduce', ...options });
  await context.addCookies([{ name: 'coinslot', value: member.browser.cookie!, url: shop.url }]);
  const opened = await context.newPage();
  return opened;
}

inSequence();

beforeAll(async () => {
  [shop, browser] = await Promise.all([startProgram({ workers: false, replace: line.replace }), launchBrowser()]);
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  place = `${shop.url}/dashboard/g/${shop.account.gameId}/sandbox`;
  page = await pageOf('support');
});

afterEach(() => {
  game.answerAlways(null);
  line.gateway().behave();
});

afterAll(async () => {
  await browser?.close();
  await game?.close();
  await shop?.close();
});

const inMain = () => page.getByRole('main');
const button = (name: string) => inMain().getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

async function payAnOrder(): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  return order.order_id;
}

async function refusedRefund(): Promise<string> {
  const orderId = await payAnOrder();
  line.gateway().misbehave('refund', FINAL);
  await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
  await shop.program.parts.background.settle();
  await shop.later(1);
  return orderId;
}

test('nothing needs attention, and the list says so', async () => {
  await page.goto(`${place}/attention`);
  await page.getByRole('heading', { name: 'Nothing needs attention' }).waitFor();
  await page.getByText('Last checked', { exact: false }).waitFor();
  await expectGood(page, 'attention-empty');
});

test('a refused capture is counted, listed with what happens next, and asked again', async () => {
  line.gateway().misbehave('capture', PASSING);
  const orderId = await payAnOrder();
  await page.goto(place);
  await page.getByText('1 thing needs attention.').waitFor();
  const entry = page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: /^Needs attention/ });
  // The entry's number and the page's sentence come with two answers.
  await expect.poll(() => entry.textContent(), patience).toContain('1');
  await entry.click();
  await page.getByText('The provider refused the capture', { exact: true }).waitFor();
  await inMain().getByText('The balance is too low.', { exact: false }).waitFor();
  await inMain()
    .getByText(/We ask the provider again in (?:59 min|60 min|1 hr)/)
    .waitFor();
  await expectGood(page, 'attention-capture');
  await button('Ask again now').click();
  await page.getByText('Resolved. The payment no longer needs attention.').waitFor();
  await page.getByRole('heading', { name: 'Nothing needs attention' }).waitFor();
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
});

test('asked again and refused again, it says so and stays', async () => {
  line.gateway().misbehave('capture', FINAL, 2);
  await payAnOrder();
  await button('Ask again now').click();
  await page.getByText('The payment still needs attention.', { exact: false }).waitFor();
  await page.getByText('Nothing happens until a team member acts.', { exact: false }).waitFor();
});

test('it is voided from the page of the order, and the focus returns when the dialog is closed', async () => {
  const orders = await shop.call<{ data: { order_id: string }[] }>('GET', '/s2s/v1/orders?attention=true');
  const orderId = orders.body.data[0]!.order_id;
  await page.goto(`${place}/orders?attention=true`);
  await page.getByRole('button', { name: 'Clear Needs attention' }).waitFor();
  await expect.poll(() => page.locator('tbody tr').count(), patience).toBe(1);
  await page.goto(`${place}/orders/${orderId}`);
  await button('Void').click();
  await expectGood(page, 'attention-void');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused()).toBe('Void');
  await button('Void').click();
  await dialog().getByRole('button', { name: 'Void' }).click();
  await page.getByText('Authorization voided.').waitFor();
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected', attention: null });
  await expect.poll(focused, patience).toMatch(/\d\.\d\d/);
});

test('a refused refund is filtered, asks for a reason to be closed by hand, and goes through when asked again', async () => {
  const orderId = await refusedRefund();
  await page.goto(`${place}/transactions?attention=true`);
  await expect.poll(() => page.locator('tbody tr').count(), patience).toBe(1);
  await page.goto(`${place}/attention`);
  await page.getByText('The provider refused the refund', { exact: true }).waitFor();
  await button('Settled elsewhere').click();
  await dialog().getByRole('button', { name: 'Settled elsewhere' }).click();
  await dialog().getByText('Please enter a reason.').waitFor();
  await expectGood(page, 'attention-settle');
  await page.keyboard.press('Escape');
  await button('Refund').click();
  await dialog().getByLabel('Reason (optional)').fill('The player asked twice.');
  await expectGood(page, 'attention-refund');
  await dialog().getByRole('button', { name: 'Refund' }).click();
  await page.getByRole('heading', { name: 'Nothing needs attention' }).waitFor();
  await shop.program.parts.background.settle();
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
});

test('what was settled elsewhere keeps its reason', async () => {
  const orderId = await refusedRefund();
  await page.goto(`${place}/attention`);
  await button('Settled elsewhere').click();
  await dialog().getByLabel('How was it settled?').fill('Paid back by bank transfer.');
  await dialog().getByRole('button', { name: 'Settled elsewhere' }).click();
  await page.getByText('Marked as settled elsewhere.').waitFor();
  await page.goto(`${place}/orders/${orderId}`);
  await inMain().getByText('Settled elsewhere: Paid back by bank transfer.').first().waitFor();
  await expect.poll(() => button('Settled elsewhere').count()).toBe(0);
});

test('a game that does not answer is asked again', async () => {
  game.answerAlways({ status: 500 });
  const orderId = await payAnOrder();
  for (const step of [2, 5, 10, 27]) await shop.later(step + 3);
  await page.goto(`${place}/attention`);
  await page.getByText('Your game has not granted the items').waitFor();
  await expectGood(page, 'attention-grant');
  game.answerAlways(null);
  await button('Ask again now').click();
  await page.getByText('Asking your game again.').waitFor();
  await shop.later(1);
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
});

test('what waits for the game is asked for all at once, and the keys go through it, seen (row 289)', async () => {
  game.answerAlways({ status: 500 });
  const orders = [await payAnOrder(), await payAnOrder()];
  for (const step of [2, 5, 10, 27]) await shop.later(step + 3);
  await page.goto(`${place}/attention`);
  await page.getByRole('heading', { name: 'Get the game to answer 2' }).waitFor();
  await expectGood(page, 'attention-group');
  const rowInFocus = () =>
    page.evaluate(() => {
      const isSeen = (row: Element) => getComputedStyle(row).outlineStyle !== 'none';
      return [...document.querySelectorAll('[data-row]')].findIndex(row => row.matches(':focus') && isSeen(row));
    });
  await page.keyboard.press('j');
  expect(await rowInFocus()).toBe(0);
  await page.keyboard.press('j');
  expect(await rowInFocus()).toBe(1);
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/transactions\/pay_/);
  await page.goBack();
  await page.getByRole('heading', { name: 'Get the game to answer 2' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await page.getByText('Asking your game again.').first().waitFor();
  game.answerAlways(null);
  await button('Ask again for all 2').click();
  await page.getByText('Asked again for 2 payments.').waitFor();
  await shop.later(1);
  for (const id of orders) expect(await shop.readOrder(id)).toMatchObject({ status: 'paid', attention: null });
});

test('a member takes it and snoozes it with a note; it leaves the list and the count, and can be brought back', async () => {
  game.answerAlways({ status: 500 });
  const orderId = await payAnOrder();
  for (const step of [2, 5, 10, 27]) await shop.later(step + 3);
  await page.goto(`${place}/attention`);
  await page.getByText('Your game has not granted the items').waitFor();
  const who = inMain().getByLabel('Who is on it');
  await expect.poll(() => who.locator('option').allTextContents(), patience).toContain('support (you)');
  await who.selectOption({ label: 'support (you)' });
  await page.getByText('support is on it.').waitFor();
  await inMain().getByRole('button', { name: 'Mine', exact: true }).click();
  await page.waitForURL(/view=mine/);
  await page.getByText('Your game has not granted the items').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('s');
  await dialog().getByRole('button', { name: 'Snooze' }).click();
  await dialog().getByText('Please enter a note.').waitFor();
  await dialog().getByRole('button', { name: 'In 3 days' }).click();
  await dialog().getByLabel('Why can it wait?').fill('The server is being moved.');
  await expectGood(page, 'attention-snooze');
  await dialog().getByRole('button', { name: 'Snooze' }).click();
  await page.getByRole('heading', { name: 'Nothing is assigned to you' }).waitFor();
  await inMain().getByRole('button', { name: 'Snoozed 1' }).click();
  await inMain().getByText('The server is being moved.', { exact: false }).waitFor();
  await expectGood(page, 'attention-snoozed');
  await page.goto(place);
  await expect.poll(() => page.getByText('needs attention.').count(), patience).toBe(0);
  await page.goto(`${place}/orders/${orderId}`);
  await inMain().getByText('The server is being moved.', { exact: false }).waitFor();
  await expectGood(page, 'order-snoozed');
  await button('Bring back').click();
  await page.getByText('Back in the list.').waitFor();
  await page.goto(`${place}/attention`);
  game.answerAlways(null);
  await button('Ask again now').click();
  await page.getByText('Asking your game again.').waitFor();
  await shop.later(1);
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
});

test('a dispute is answered with evidence from the records, changed by the member', async () => {
  const order = await shop.createOrder({ player_id: 'player_of_dispute' });
  await shop.pay(order.checkout_url, '4000 0000 0000 0259');
  await shop.later(3);
  await page.goto(`${place}/attention`);
  await inMain().getByRole('link', { name: 'Answer the dispute' }).click();
  await page.getByRole('heading', { name: /^Dispute over/ }).waitFor();
  await inMain().getByText('10.4', { exact: true }).waitFor();
  await expect.poll(() => page.getByLabel('Delivery').inputValue()).toContain('the game answered HTTP 200');
  await page.getByLabel('Your statement').fill('The player wrote to us from the address of the receipt.');
  await inMain()
    .getByText(/\d days left/)
    .first()
    .waitFor();
  // Longer than a phone is wide.
  const name = `mail-from-Ada-${'of-the-day-on-which-she-bought-'.repeat(3)}.pdf`;
  const mail = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 a mail') };
  await inMain().locator('input[type=file]').setInputFiles(mail);
  await inMain().getByText(name).waitFor();
  await inMain()
    .locator('input[type=file]')
    .setInputFiles({ ...mail, name: 'a.svg', mimeType: 'image/svg+xml' });
  await inMain().getByText('Only PDF, PNG and JPEG files are accepted.').waitFor();
  await expectGood(page, 'dispute');
  await page.setViewportSize(NARROW);
  const cut = page
    .locator('textarea')
    .evaluateAll(all => all.filter(one => one.scrollHeight > one.clientHeight).length);
  expect(await cut).toBe(0);
  await page.setViewportSize(DESK);
  await button('Preview').click();
  await dialog().getByText('receipt-1.pdf').waitFor();
  await dialog().getByText('The player wrote to us from the address of the receipt.').waitFor();
  await expectGood(page, 'dispute-preview');
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await button('Save for later').click();
  await page.getByText('Evidence saved. It has not been sent to the bank.').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Your statement').inputValue(), patience).toContain('wrote to us');
  await button('Send to the bank').click();
  await expectGood(page, 'dispute-send');
  await dialog().getByRole('button', { name: 'Send to the bank' }).click();
  await page.getByText('The evidence is being sent.', { exact: false }).waitFor();
  await shop.program.workers.drain();
  await page.getByText('The bank has your evidence and will decide.', { exact: false }).waitFor();
  await expect.poll(() => button('Send to the bank').count()).toBe(0);
  await expectGood(page, 'dispute-sent');
  await shop.later(60);
  expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid', attention: null });
});

test('figures answer with a list behind each row, as a file and as a picture', async () => {
  await page.goto(`${place}/figures`);
  const row = inMain().getByRole('table', { name: 'Conversion by method' }).getByRole('row', { name: /Card/ });
  await expect.poll(async () => (await row.count()) === 1 && (await row.innerText()), patience).toMatch(/%/);
  await expectGood(page, 'figures');
  for (const [kind, start] of [
    ['CSV', '\u{FEFF}Method,Payments,Share,Before'],
    ['PNG', '\u{FFFD}PNG'],
  ] as const) {
    const waiting = page.waitForEvent('download');
    await button(`${kind}: Conversion by method`).click();
    const saved = await waiting;
    expect(saved.suggestedFilename()).toBe(`conversion-by-method.${kind.toLowerCase()}`);
    const chunks: Buffer[] = [];
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks)).startsWith(start)).toBe(true);
  }
  await page.getByLabel('Compare with').selectOption('year');
  await page.waitForURL(/compare=year/);
  await row.getByRole('link', { name: 'Card' }).click();
  await page.waitForURL(/transactions\?.*method=card/);
});

test('a filter is kept as a view, and all that it finds is refunded while the page is closed', async () => {
  for (let i = 0; i < 2; i++) {
    const order = await shop.createOrder({ player_id: 'player_of_bulk' });
    await shop.pay(order.checkout_url);
  }
  await page.goto(`${place}/orders?player_id=player_of_bulk`);
  await expect.poll(() => page.locator('tbody tr').count(), patience).toBe(2);
  await button('Saved views').click();
  await page.getByLabel('Name of this view').fill('The event');
  await expectGood(page, 'views');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByText('View saved').waitFor();
  await page.goto(`${place}/orders`);
  await button('The event').click();
  await page.waitForURL(/player_id=player_of_bulk/);
  await expect.poll(() => page.locator('tbody tr').count(), patience).toBe(2);
  await button('Bulk action').click();
  await dialog().getByRole('radio', { name: 'Refund', exact: true }).check();
  await dialog().getByText('2 orders will be refunded').waitFor();
  await dialog().getByLabel('Reason').fill('The event was canceled.');
  await expectGood(page, 'bulk');
  await dialog().getByRole('button', { name: 'Refund 2 orders' }).click();
  await inMain().getByText('Running: 0 of 2', { exact: false }).waitFor();
  await page.goto(`${place}/attention`);
  await shop.program.workers.drain();
  await page.goto(`${place}/orders`);
  await inMain().getByText('Done: 2 of 2', { exact: false }).waitFor();
  await expectGood(page, 'bulk-done');
  await button('Hide').click();
  await expect.poll(() => inMain().getByText('Done: 2 of 2', { exact: false }).count(), patience).toBe(0);
});

test('a viewer reads the list and is offered nothing, nor by the search (row 287); an action that came too late fails in its dialog', async () => {
  const orderId = await refusedRefund();
  const viewer = await pageOf('viewer');
  await viewer.goto(`${place}/attention`);
  await viewer.getByText('The provider refused the refund', { exact: true }).waitFor();
  await viewer.getByText('Your role can only view these.', { exact: false }).waitFor();
  await expect.poll(() => viewer.getByRole('main').getByRole('list').getByRole('button').count()).toBe(0);
  const paid = await payAnOrder();
  for (const [one, isOffered] of [
    [page, true],
    [viewer, false],
  ] as const) {
    await one.goto(`${place}/orders/${paid}`);
    await one.getByRole('heading', { name: 'Timeline' }).waitFor();
    await one.keyboard.press('/');
    await one.getByRole('combobox').fill('refund');
    await one.getByRole('option').first().waitFor();
    expect(await one.getByRole('option', { name: /^Refund/ }).count()).toBe(isOffered ? 1 : 0);
    await one.keyboard.press('Escape');
  }
  await page.goto(`${place}/orders/${orderId}`);
  await button('Settled elsewhere').click();
  await dialog().getByLabel('How was it settled?').fill('Twice.');
  await page.route('**/attention/*', route =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"code":"payment_not_in_review"}' }),
  );
  await dialog().getByRole('button', { name: 'Settled elsewhere' }).click();
  await dialog().getByText('This was resolved in the meantime.', { exact: false }).waitFor();
  await page.unroute('**/attention/*');
  await page.keyboard.press('Escape');
});

test('it speaks German', async () => {
  const german = await pageOf('support', { locale: 'de-DE' });
  await german.goto(`${place}/attention`);
  await german.getByRole('heading', { name: 'Handlungsbedarf' }).waitFor();
  await german.getByText('Der Anbieter hat die Erstattung abgelehnt', { exact: true }).waitFor();
  await german.getByText('Der Anbieter hat die Erstattung abgelehnt: The reservation is gone.').first().waitFor();
  await expectGood(german, 'attention-german');
  await german.setViewportSize(NARROW);
  const cut = await german
    .getByRole('navigation', { name: 'Schnellnavigation' })
    .locator('span')
    .evaluateAll(labels => labels.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent));
  expect(cut).toEqual([]);
  await german.emulateMedia({ colorScheme: 'dark' });
  await expectGood(german, 'attention-german-dark');
});
