import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let shop: TestProgram;
let developer: TestMember;
let viewer: TestMember;

beforeAll(async () => {
  shop = await startProgram();
  developer = await signedInMember(shop, 'developer');
  viewer = await signedInMember(shop, 'viewer');
});

afterAll(() => shop?.close());

const here = (path: string, mode = 'sandbox'): string => `/games/${shop.account.gameId}/${mode}${path}`;

const patch = (body: object) => developer.browser.call('PATCH', here('/appearance'), body);

function drawn(shade: number): string {
  const picture = new PNG({ width: 32, height: 32 });
  picture.data.fill(shade);
  return PNG.sync.write(picture).toString('base64');
}

const upload = (png_base64: string, member = developer) =>
  member.browser.call<{ icon_url: string; code: string; errors: object[] }>('PUT', here('/appearance/icon'), {
    png_base64,
  });

describe('looks', () => {
  test('change in part, and say what is wrong with each field', async () => {
    expect((await patch({ accent_color: '#35f', logo_url: 'https://example.com/logo.png' })).body).toMatchObject({
      accent_color: '#3355ff',
      logo_url: 'https://example.com/logo.png',
      icon_url: null,
    });
    expect((await patch({ logo_url: null })).body).toMatchObject({ accent_color: '#3355ff', logo_url: null });
    expect((await patch({ icon_url: 'http://example.com/i.png', accent_color: 'blue' })).body).toMatchObject({
      errors: [{ pointer: '/icon_url' }, { pointer: '/accent_color' }],
    });
    expect((await developer.browser.call('GET', here('/appearance', 'live'))).body).toMatchObject({ logo_url: null });
  });
});

describe('an uploaded icon', () => {
  test('is on the payment page and served by us for a year, as a PNG and nothing else, also in a mail and a preview (row 193)', async () => {
    const { body } = await upload(drawn(200));
    expect(body.icon_url).toMatch(/^\/icons\/[0-9a-f]{32}\.png$/);
    const page = await fetch((await shop.createOrder()).checkout_url);
    expect(await page.text()).toContain(`src="${body.icon_url}"`);
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self'");
    const icon = await fetch(shop.url + body.icon_url);
    expect(PNG.sync.read(Buffer.from(await icon.arrayBuffer())).width).toBe(32);
    expect(Object.fromEntries(icon.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  test('gets another address when it is replaced, and is gone when it is removed', async () => {
    const first = (await upload(drawn(10))).body.icon_url;
    const second = (await upload(drawn(20))).body.icon_url;
    expect(second).not.toBe(first);
    expect((await fetch(shop.url + first)).status).toBe(404);
    expect((await fetch(shop.url + second)).status).toBe(200);
    expect((await upload(drawn(20))).body.icon_url).toBe(second);
    expect((await patch({ name: 'Tiny Harvest' })).body).toMatchObject({ icon_url: second });
    expect((await patch({ icon_url: null })).body).toMatchObject({ icon_url: null });
    const [kept] = await shop.database.db.query<{ n: number }>({
      name: '',
      text: 'select count(*)::int as n from game_icons',
      values: [],
    });
    expect(kept!.n).toBe(0);
  });

  test('an address cannot name another upload, and no path leads out of the icons', async () => {
    expect((await patch({ icon_url: `/icons/${'0'.repeat(32)}.png` })).status).toBe(422);
    for (const path of ['/icons/x.png', '/icons/..%2f..%2fetc%2fpasswd', `/icons/${'0'.repeat(32)}.svg`])
      expect((await fetch(shop.url + path)).status).toBe(404);
  });

  test('is refused with the reason when it is no picture, and to viewers', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    expect(await upload(svg)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/png_base64', code: 'picture' }] },
    });
    expect((await upload('not base64!')).status).toBe(422);
    expect(await upload(drawn(1), viewer)).toMatchObject({ status: 403, body: { code: 'role_too_low' } });
  });
});

describe('the preview', () => {
  const look = (query = '', member = viewer) => member.browser.fetch('GET', here(`/appearance/preview${query}`));

  test('is the page of players in every state, in the frame of this dashboard only, and can neither run nor send', async () => {
    for (const state of ['ready', 'declined', 'waiting', 'done', 'rejected', 'receipt']) {
      const page = await look(`?state=${state}&theme=dark&name=Castle%20Run&accent_color=%23c8102e`);
      const html = await page.text();
      expect(html).toContain('Castle Run');
      expect(html).toContain('data-theme="dark"');
      expect(html).not.toMatch(/<script|<noscript|http-equiv="refresh"/);
      const policy = page.headers.get('content-security-policy')!.split('; ');
      expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'self'", "form-action 'none'", 'sandbox']));
      expect(policy.filter(directive => /^(script|connect|frame)-src/.test(directive))).toEqual([]);
      expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    }
  });

  test('shows what is typed, and what is saved where that is not right yet', async () => {
    await patch({ name: 'Saved Name', accent_color: '#112233' });
    expect(await (await look('?name=&accent_color=%2311')).text()).toContain('Saved Name');
    expect(await (await look('?logo_url=http%3A%2F%2Fplain.example%2Fl.png')).text()).not.toContain('plain.example');
    expect(await (await look('?name=%3Cb%3EBold')).text()).toContain('&lt;b&gt;Bold');
  });

  test('is not for visitors', async () => {
    const { status } = await viewer.browser.call('GET', here('/appearance/preview'), undefined, { cookie: null });
    expect(status).toBe(401);
  });
});
