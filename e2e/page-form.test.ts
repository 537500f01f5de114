import type { CheckoutView } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { base, fillForm, type SamplePage, sentForm, startSamplePage } from './sample-page.ts';

let sample: SamplePage;

beforeAll(async () => {
  sample = await startSamplePage();
});
afterEach(() => sample.reset());
afterAll(() => sample.close());

describe('the form helps', () => {
  test('a wrong field says so beside it as soon as it is left, and no longer once it is right', async () => {
    const view = { ...GALLERY['ready, live, little time'], live: null, provider: null };
    const page = await sample.open({ ...view, language: 'de' });
    await page.locator('#card_number').fill('4242 4242 4242 4241');
    await page.locator('#card_expiry').focus();
    const error = page.locator('#card_number_error');
    await expect
      .poll(() => error.textContent())
      .toBe('Die Kartennummer ist unvollständig oder enthält einen Tippfehler.');
    await expect.poll(() => page.locator('#card_number').getAttribute('aria-invalid')).toBe('true');
    await expect
      .poll(() => page.locator('#card_number').getAttribute('aria-describedby'))
      .toContain('card_number_error');
    await page.locator('#card_number').fill('4242 4242 4242 4242');
    await expect.poll(() => error.textContent()).toBe('');
    await expect.poll(() => page.locator('#card_number').getAttribute('aria-invalid')).toBeNull();
  });

  test('an incomplete form is not sent, and the reader is led to the first gap', async () => {
    const page = await sample.open(GALLERY.ready);
    await page.locator('#email').fill('mika@example.com');
    await page.locator('#submit').click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('card_number');
    await expect.poll(() => page.locator('.error:not(:empty)').count()).toBe(4);
    await page.getByText('Test cards').click();
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => page.locator('#submit').isEnabled()).toBe(true);
    expect(sample.visitsOf('POST', `${base}/pay`)).toEqual([]);
  });

  test('the number is spaced, its brand shown, and the place of the code follows it', async () => {
    const page = await sample.open(GALLERY.ready);
    await page.locator('#card_number').pressSequentially('370000000000002');
    await expect.poll(() => page.locator('#card_number').inputValue()).toBe('3700 000000 00002');
    await expect.poll(() => page.locator('#card_number_brand').textContent()).toBe('Amex');
    await expect.poll(() => page.locator('#card_cvc_hint').textContent()).toBe('4 digits on the front');
    await page.locator('#card_number').fill('');
    await page.locator('#card_number').pressSequentially('4242424242424242');
    await expect.poll(() => page.locator('#card_number').inputValue()).toBe('4242 4242 4242 4242');
    await expect.poll(() => page.locator('#card_number_brand').textContent()).toBe('Visa');
    await expect.poll(() => page.locator('#card_cvc_hint').textContent()).toBe('3 digits on the back');
  });

  test('phones get the right keyboards', async () => {
    const page = await sample.open(GALLERY.ready);
    const keyboards = await page
      .locator('form input')
      .evaluateAll(inputs => inputs.map(input => [input.id, input.getAttribute('inputmode')]));
    expect(Object.fromEntries(keyboards)).toEqual({
      email: 'email',
      card_number: 'numeric',
      card_expiry: 'numeric',
      card_cvc: 'numeric',
      postal_code: null,
    });
  });
});

describe('after a decline where saved methods stand first', () => {
  const seen = `(() => { const { top, bottom } = document.querySelector('.problem').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight; })()`;

  test('a page that is opened shows why, before it leads on to the card (row 255)', async () => {
    const page = await sample.open(GALLERY['declined, live, simulated, saved']);
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
    await expect.poll(() => page.evaluate(seen)).toBe(true);
  });

  test('the form that was sent says why itself, and asks for the code (row 255)', async () => {
    const page = await sample.open(GALLERY['ready, live, simulated, saved']);
    await page.locator('.more > summary').click();
    await fillForm(page);
    sample.put({ ...GALLERY['declined, live, simulated, saved'], version: 9 });
    await page.locator('form[data-live] #submit').click();
    await page.locator('form[data-live] .problem').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('card_cvc');
    expect(await page.evaluate(seen)).toBe(true);
    expect(await page.locator('.problem').count()).toBe(1);
  });
});

describe('a server that blinks at the tap on Pay', () => {
  const attemptIn = (body: string | null) => new URLSearchParams(body ?? '').get('attempt');

  test.each([
    ['is away', (route: Route) => route.abort()],
    ['answers 503', (route: Route) => route.fulfill({ status: 503, body: 'no upstream' })],
  ])('and %s costs nothing that was typed; sent again, it is the same attempt (row 113)', async (_, blink) => {
    const page = await sample.open(GALLERY.ready);
    const lost: (string | null)[] = [];
    await page.route(`**${base}/pay`, route => {
      lost.push(attemptIn(route.request().postData()));
      return blink(route);
    });
    await fillForm(page);
    await page.locator('#submit').click();
    await page.getByText('Everything you entered is still here.').waitFor();
    await expect.poll(() => page.locator('#card_number').inputValue()).toBe(sentForm.card_number);
    await expect.poll(() => page.locator('#card_cvc').inputValue()).toBe(sentForm.card_cvc);
    await expect.poll(() => page.locator('#submit').textContent()).toBe('Pay $4.99');
    expect(await violations(page)).toEqual([]);
    await page.unroute(`**${base}/pay`);
    sample.put({ ...GALLERY.done, backToGameUrl: null, version: 9 });
    await page.locator('#submit').click();
    await page.getByRole('heading', { name: 'Purchase complete' }).waitFor();
    const [visit, ...others] = sample.visitsOf('POST', `${base}/pay`);
    expect([attemptIn(visit!.body), others]).toEqual([lost[0], []]);
    expect(lost).toEqual([expect.stringMatching(/^\d+(?:-\d+){3}$/)]);
  });

  test('shows what became of the payment when only the answer was lost (row 113)', async () => {
    const page = await sample.open(GALLERY.ready);
    await page.route(`**${base}/pay`, route => {
      sample.put({ ...GALLERY.asking, version: 9 });
      return route.abort();
    });
    await fillForm(page);
    await page.locator('#submit').click();
    await page.locator('body[data-state=asking]').waitFor();
  });
});

describe('the language switch', () => {
  test('changes the language in place, keeps what was typed and lasts for the visit', async () => {
    const page = await sample.open(GALLERY.ready);
    await fillForm(page);
    await page.locator('#language').selectOption('ar');
    await page.getByRole('button', { name: 'ادفع' }).waitFor();
    await expect
      .poll(() => page.evaluate('[document.documentElement.lang, document.documentElement.dir]'))
      .toEqual(['ar', 'rtl']);
    await expect.poll(() => page.locator('#card_number').inputValue()).toBe(sentForm.card_number);
    expect(page.url()).toBe(`${sample.origin}${base}?lang=ar`);
    await page.reload();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ar');
    sample.show({ ...GALLERY.rejected, version: 9 });
    await page.getByRole('heading', { name: 'لم تتمكن اللعبة من إضافة عناصرك' }).waitFor();
  });

  test('works without JavaScript', async () => {
    const page = await sample.open(GALLERY.ready, { javaScriptEnabled: false });
    await page.locator('#language').selectOption('ja');
    await page.getByRole('button', { name: 'Use this language' }).click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ja');
    await fillForm(page);
    await page.locator('#submit').click();
    expect(sample.visitsOf('POST', `${base}/pay`)).toHaveLength(1);
  });
});

describe('text from outside', () => {
  const attack = `"'><img src=x onerror="window.hit=1"><script>window.hit=1</script></style><svg onload=window.hit=1>`;
  const poison = { gameName: attack, playerName: attack, total: attack, accentColor: attack, logoUrl: attack };
  const item = {
    name: attack,
    description: attack,
    quantity: attack,
    price: attack,
    oldPrice: attack,
    imageUrl: attack,
  };
  const poisoned: CheckoutView[] = [
    { ...GALLERY.declined, ...poison, items: [item], email: attack, problemDetail: attack, timeLeft: attack },
    { ...GALLERY.asking, ...poison, items: [item], receiptEmail: attack, version: 9 },
    { ...GALLERY.done, ...poison, items: [item], receiptEmail: attack, backToGameUrl: attack, version: 10 },
  ];

  test('never runs, neither in a page that is loaded nor in one that is put in place', async () => {
    const page = await sample.open(poisoned[0]!);
    for (const view of poisoned) {
      sample.show(view);
      await page.locator(`body[data-state=${view.state}]`).waitFor();
      expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0);
    }
    await page.reload();
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(page.troubles).toEqual([]);
  });
});
