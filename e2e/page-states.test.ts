import { gzipSync } from 'node:zlib';
import { renderCheckout } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { base, fillForm, patience, type SamplePage, sentForm, startSamplePage } from './sample-page.ts';

let sample: SamplePage;

beforeAll(async () => {
  sample = await startSamplePage();
});
afterEach(() => sample.reset());
afterAll(() => sample.close());

test('in forced colors, borders say what colors said', async () => {
  const page = await sample.open(GALLERY['wrong fields'], { forcedColors: 'active' });
  const border = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).borderTopWidth`);
  expect([await border('.sandbox'), await border('.problem'), await border('#email')]).toEqual(['2px', '2px', '3px']);
});

const BROKEN = {
  ...GALLERY.ready,
  gameIconUrl: 'https://pictures.test/icon.png',
  items: [{ ...GALLERY.ready.items[0]!, imageUrl: 'https://pictures.test/gone.png' }],
};

test('a picture that cannot be shown gives way to the item’s icon and the game’s letter', async () => {
  const page = await sample.open(BROKEN);
  await expect.poll(() => page.locator('img').count(), patience).toBe(0);
  expect(await page.locator('.items .tile .icon').isVisible()).toBe(true);
  expect(await page.locator('.game .tile').textContent()).toBe('T');
});

test('without JavaScript a picture that cannot be shown leaves a quiet tile', async () => {
  const page = await sample.open(BROKEN, { javaScriptEnabled: false });
  const box = await page.locator('.items img').boundingBox();
  const cover = await page.evaluate(`(() => {
    const { width, height, backgroundColor } = getComputedStyle(document.querySelector('.items img'), '::after');
    return [width, height, backgroundColor === getComputedStyle(document.querySelector('.items img')).backgroundColor];
  })()`);
  expect([box?.width, box?.height, cover]).toEqual([48, 48, ['48px', '48px', true]]);
});

test.each([390, 430, 479])('a phone of %i px shows the page from edge to edge', async width => {
  const page = await sample.open(GALLERY.ready, { viewport: { width, height: 844 } });
  expect(await page.locator('.sandbox').boundingBox()).toMatchObject({ x: 0, width });
});

test('the button is above the roll-up of a phone for a single item', async () => {
  const page = await sample.open(GALLERY.ready);
  const box = await page.locator('#submit').boundingBox();
  expect(box!.y + box!.height).toBeLessThan(844);
});

test('a visit is one request and small', async () => {
  const page = await sample.open(GALLERY.done);
  await page.waitForLoadState('load');
  // It asks whether the order has changed, to hear of a refund. The page of the test before may tell only now that it was left.
  const asked = sample.visits().filter(visit => ![`${base}/events`, `${base}/status`].includes(visit.path));
  expect(asked.map(visit => visit.path)).toEqual([base]);
  for (const view of Object.values(GALLERY)) {
    const isLive = 'sandbox' in view && !view.sandbox;
    expect(gzipSync(renderCheckout(view).html).length).toBeLessThan(isLive ? 15_500 : 12_500);
  }
});

describe('without JavaScript', () => {
  test('the form has everything and posts it', async () => {
    const page = await sample.open(GALLERY.ready, { javaScriptEnabled: false });
    await fillForm(page);
    await page.getByRole('button', { name: 'Pay $4.99' }).click();
    const [sent] = sample.visitsOf('POST', `${base}/pay`);
    expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual(sentForm);
  });

  test('a free order is claimed with one tap', async () => {
    const page = await sample.open(GALLERY.claim, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Claim for free' }).click();
    expect(sample.visitsOf('POST', `${base}/claim`)).toMatchObject([{ body: 'email=' }]);
  });

  test.each(['complete', 'fail'])('the challenge can be answered: %s', async result => {
    const page = await sample.open(GALLERY.challenge, { javaScriptEnabled: false });
    await page.getByRole('button', { name: new RegExp(result, 'i') }).click();
    expect(sample.visitsOf('POST', `${base}/challenge`)).toMatchObject([{ body: `result=${result}` }]);
  });

  test('a page that waits learns the end by itself and opens the way back', async () => {
    const page = await sample.open(GALLERY.asking, { javaScriptEnabled: false });
    sample.show({ ...GALLERY.done, backToGameUrl: `${sample.origin}/game` });
    await page.waitForURL(`${sample.origin}/game`);
  });

  test('the test cards are one tap away', async () => {
    const page = await sample.open(GALLERY.ready, { javaScriptEnabled: false });
    await page.getByText('Test cards').click();
    await expect.poll(() => page.getByText('4242 4242 4242 4242').isVisible()).toBe(true);
  });
});

describe('with JavaScript', () => {
  test('the whole form works by keyboard', async () => {
    const page = await sample.open(GALLERY.ready);
    await page.locator('#email').focus();
    for (const word of ['mika@example.com', '4242424242424242', '1240', '123', '10115']) {
      await page.keyboard.type(word);
      await page.keyboard.press('Tab');
    }
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('submit');
    await page.keyboard.press('Enter');
    // Until the page is back, or its request would count in the next test.
    await expect.poll(() => sample.visitsOf('GET', base).length, patience).toBe(2);
    const { attempt, ...sent } = Object.fromEntries(
      new URLSearchParams(sample.visitsOf('POST', `${base}/pay`)[0]?.body),
    );
    expect(sent).toEqual(sentForm);
    expect(attempt).toMatch(/^[\d-]{20,}$/);
  });

  test('a second tap sends nothing', async () => {
    const page = await sample.open(GALLERY.ready);
    await fillForm(page);
    const disabled = await page.evaluate(`(() => {
      const button = document.getElementById('submit');
      button.click();
      button.click();
      return button.disabled;
    })()`);
    expect(disabled).toBe(true);
    await expect.poll(() => sample.visitsOf('POST', `${base}/pay`).length, patience).toBe(1);
    await expect.poll(() => sample.visitsOf('GET', base).length, patience).toBe(2);
    expect(sample.visitsOf('POST', `${base}/pay`)).toHaveLength(1);
  });

  test('without a connection nothing is sent and nothing typed is lost; with it the form is sent', async () => {
    const page = await sample.open(GALLERY.ready);
    await fillForm(page);
    await page.context().setOffline(true);
    await page.locator('#submit').click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('You’re offline');
    await expect.poll(() => page.locator('#card_number').inputValue()).toBe(sentForm.card_number);
    await page.context().setOffline(false);
    await page.locator('#submit').click();
    await expect.poll(() => sample.visitsOf('POST', `${base}/pay`).length, patience).toBe(1);
  });

  test('a test card fills the card fields', async () => {
    const page = await sample.open(GALLERY.ready);
    await page.getByText('Test cards').click();
    await page.getByRole('button', { name: 'Use 3700 0000 0000 002' }).click();
    await expect.poll(() => page.locator('#card_number').inputValue()).toBe('3700 0000 0000 002');
    await expect.poll(() => page.locator('#card_cvc').inputValue()).toBe('1234');
  });

  test('a page that waits follows the order to its end and opens the game once', async () => {
    const page = await sample.open(GALLERY.paying);
    sample.show({ ...GALLERY.asking, version: 4 });
    await page.getByRole('heading', { name: 'Adding your items' }).waitFor();
    sample.show({ ...GALLERY.done, version: 5, backToGameUrl: `${sample.origin}/game` });
    await page.getByRole('heading', { name: 'Purchase complete' }).waitFor();
    await page.waitForURL(`${sample.origin}/game`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Purchase complete' }).waitFor();
    expect(page.url()).toBe(sample.origin + base);
  });

  test('a form that another tab has paid gives way; one that is only older keeps what was typed', async () => {
    const page = await sample.open(GALLERY.ready);
    await page.locator('#card_number').fill('4242');
    await expect.poll(() => sample.visitsOf('GET', `${base}/status`).length, patience).toBe(1);
    sample.show({ ...GALLERY.ready, version: 8 });
    await expect.poll(() => sample.visitsOf('GET', `${base}/status`).length, patience).toBe(2);
    await expect.poll(() => page.locator('#card_number').inputValue()).toBe('4242');
    sample.show({ ...GALLERY.done, backToGameUrl: null, version: 9 });
    await page.getByRole('heading', { name: 'Purchase complete' }).waitFor();
  });

  test('the reader is led to what went wrong', async () => {
    const declined = await sample.open(GALLERY.declined);
    await expect.poll(() => declined.evaluate('document.activeElement.id')).toBe('card_number');
    const broken = await sample.open(GALLERY['ready, live, little time']);
    await expect.poll(() => broken.evaluate('document.activeElement.role')).toBe('alert');
    const wrong = await sample.open(GALLERY['wrong fields']);
    await expect.poll(() => wrong.evaluate('document.activeElement.id')).toBe('email');
  });

  test.each([
    ['in sandbox', GALLERY.ready, GALLERY.declined],
    ['in live', GALLERY['ready, live, simulated, saved'], GALLERY['declined, live, simulated, saved']],
  ])('after a decline %s the number stays in its field, and only the code is asked for again', async (_, open, no) => {
    const page = await sample.open(open);
    await page.evaluate("document.querySelector('.more')?.setAttribute('open', '')");
    await page.evaluate("window.field = document.getElementById('card_number')");
    await fillForm(page);
    sample.put({ ...no, version: 9 });
    await page.locator('#submit').click();
    await page.getByText('Your bank declined the payment, and you were not charged.').waitFor();
    expect(await page.evaluate("window.field === document.getElementById('card_number')")).toBe(true);
    expect(await page.locator('#card_number').inputValue()).toBe(sentForm.card_number);
    expect(await page.locator('#postal_code').inputValue()).toBe(sentForm.postal_code);
    expect(await page.locator('#card_cvc').inputValue()).toBe('');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('card_cvc');
    await page.locator('#card_cvc').fill('123');
    await page.locator('#submit').click();
    await expect.poll(() => sample.visitsOf('POST', `${base}/pay`).length, patience).toBe(2);
    const keys = sample.visitsOf('POST', `${base}/pay`).map(({ body }) => new URLSearchParams(body).get('attempt'));
    expect(new Set(keys).size).toBe(2);
    expect(page.troubles).toEqual([]);
  });

  test.each(['done', 'receipt'] as const)('an open page (%s) shows a refund by itself', async name => {
    const page = await sample.open({ ...GALLERY[name], backToGameUrl: null });
    await expect.poll(() => sample.visitsOf('GET', `${base}/status`).length, patience).toBe(1);
    sample.show(
      name === 'done' ? { ...GALLERY.refunded, version: 9 } : { ...GALLERY['receipt, refunded'], version: 9 },
    );
    await page.getByText('November 17, 2026').waitFor();
  });

  test('another method is one tap away from a decline, and says when its money moves', async () => {
    const page = await sample.open(GALLERY['declined, live, simulated']);
    const [after, first] = [page.locator('.after'), page.locator('.first')];
    expect([await after.isVisible(), await first.isVisible()]).toEqual([true, false]);
    await page.getByRole('link', { name: 'Pay another way' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('way_paypal');
    await page.getByRole('radio', { name: 'Multibanco' }).check();
    expect([await after.isVisible(), await first.isVisible()]).toEqual([false, true]);
  });

  test('a wallet asks for the e-mail alone, and the enter key opens no wallet', async () => {
    const page = await sample.open(GALLERY['ready, live, simulated, saved']);
    expect(await page.locator('button:visible').count()).toBe(1);
    await page.locator('.more > summary').click();
    await page.locator('form[data-live] #submit').click();
    await page.getByRole('button', { name: 'Apple Pay' }).click();
    await expect
      .poll(() => page.evaluate("[...document.querySelectorAll('[aria-invalid]')].map(field => field.id)"))
      .toEqual(['email']);
    const sent = page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/pay'));
    await fillForm(page);
    await page.locator('#email').press('Enter');
    expect(new URLSearchParams((await sent).postData() ?? '').get('wallet')).toBeNull();
  });

  test('a change is put in place, read out, and leads to the new heading', async () => {
    const page = await sample.open(GALLERY.asking);
    await page.evaluate('window.same = true');
    sample.show({ ...GALLERY.rejected, version: 4 });
    await page.getByRole('heading', { name: 'Your items couldn’t be added' }).waitFor();
    await expect.poll(() => page.evaluate('[window.same, document.activeElement.tagName]')).toEqual([true, 'H1']);
    await expect.poll(() => page.locator('#news').textContent()).toContain('You were not charged.');
    await expect.poll(() => page.title()).toBe('Your items couldn’t be added · Tiny Harvest');
    expect(page.troubles).toEqual([]);
  });

  test('the lateness of the game and the end of the time appear by the clock alone', async () => {
    const page = await sample.open({ ...GALLERY.asking, renewInSeconds: 1 });
    sample.put(GALLERY['asking, late']);
    await page.getByText('hasn’t responded yet').waitFor();

    const form = await sample.open({ ...GALLERY['ready, live, little time'], renewInSeconds: 62 });
    await expect.poll(() => form.locator('#time_left').textContent()).toMatch(/^(?:12 minutes|1:0[012])$/);
    await form.getByText('1:00').waitFor();

    const ending = await sample.open({ ...GALLERY['ready, live, little time'], renewInSeconds: 1 });
    sample.put(GALLERY.expired);
    await ending.getByRole('heading', { name: 'This order has expired' }).waitFor();
  });

  test('a page that comes back from the cache of the browser looks again', async () => {
    const page = await sample.open(GALLERY.ready);
    sample.put(GALLERY['already paid']);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.getByRole('heading', { name: 'Already paid' }).waitFor();
  });

  test('a reload after a refused form asks for the page and sends nothing again', async () => {
    const page = await sample.open(GALLERY.ready);
    await page.route(`**${base}/pay`, async route => {
      const { html, headers } = renderCheckout({ ...GALLERY['wrong fields'], base });
      await route.fulfill({ status: 422, headers, body: html });
    });
    await fillForm(page);
    await page.locator('#submit').click();
    await page.getByText('Check the highlighted fields.').waitFor();
    expect(page.url()).toBe(sample.origin + base);
    await page.unroute(`**${base}/pay`);
    await page.reload();
    expect(sample.visitsOf('POST', `${base}/pay`)).toEqual([]);
  });

  test('what is counted is the choice of the card and leaving, once each, and nothing else', async () => {
    // A server of its own: the farewell of a page of another test can come late.
    const own = await startSamplePage();
    const page = await own.open(GALLERY.ready);
    await page.locator('#card_number').focus();
    await page.locator('#email').focus();
    await page.locator('#card_number').focus();
    await page.goto(`${own.origin}/elsewhere`);
    const counted = () => own.visitsOf('POST', `${base}/events`).map(visit => visit.body);
    await expect.poll(counted, patience).toEqual(['method_chosen', 'left']);
    await own.close();
  });
});
