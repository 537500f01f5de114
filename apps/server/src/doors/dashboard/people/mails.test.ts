import { ALERT_MAILS, DASHBOARD_LOCALES, SENT_MAILS } from '@coinslot/contract';
import { mailTo, PASSWORD, signedInMember, type TestMember, tokenTo } from '@coinslot/testing/dashboard';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { mails as accountMails } from '@coinslot/texts/mails';
import { PLAYER_LANGUAGES } from '@coinslot/texts/players';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeal } from '../../../kit/seal.ts';

let shop: TestProgram;
let owner: TestMember;
const LOOK = {
  logo_url: 'https://cdn.example/logo.png',
  icon_url: 'https://cdn.example/icon.png',
  accent_color: '#c8102e',
};

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = await signedInMember(shop, 'owner');
  const path = `/games/${shop.account.gameId}/sandbox/appearance`;
  expect((await owner.browser.call('PATCH', path, LOOK)).status).toBe(200);
});

afterAll(() => shop?.close());

const company = (path: string): string => `/companies/${shop.account.companyId}${path}`;
const preview = (query: string) => owner.browser.call<{ text: string }>('GET', company(`/mails/preview?${query}`));

describe('the preview of a mail', () => {
  test('shows each mail in each of its languages, in the look of the game', async () => {
    const { body } = await owner.browser.call<{ data: { mail: string; languages: string[] }[] }>(
      'GET',
      company('/mails'),
    );
    expect(body.data.map(({ mail }) => mail)).toEqual([...SENT_MAILS]);
    const languagesOf = (wanted: string) => body.data.find(({ mail }) => mail === wanted)!.languages;
    expect(languagesOf('receipt')).toEqual(Object.keys(PLAYER_LANGUAGES));
    for (const mail of ['totpOn', ...ALERT_MAILS]) {
      expect(languagesOf(mail).toSorted()).toEqual([...DASHBOARD_LOCALES].toSorted());
    }
    const seen = new Set<string>();
    for (const { mail, languages } of body.data) {
      for (const locale of languages) {
        const { status, body: page } = await preview(`mail=${mail}&locale=${locale}`);
        expect([status, page.text]).toEqual([200, expect.stringContaining(`<html lang="${locale}"`)]);
        expect(page.text).not.toMatch(/undefined|null|NaN|\{\w+\}/);
        seen.add(/<title>(.*)<\/title>/.exec(page.text)![1]! + locale);
      }
    }
    expect(seen.size).toBe(body.data.reduce((sum, { languages }) => sum + languages.length, 0));
  });

  test('says an alert to a member as it is sent in German', async () => {
    const { body } = await preview('mail=attention&locale=de');
    for (const part of [
      'Das Spiel hat item.add 4-mal mit 503 beantwortet',
      'Das Spiel hat item.add nicht angenommen: HTTP 503.',
      'Bestellung',
      'Zahlung öffnen',
    ]) {
      expect(body.text).toContain(part);
    }
    const disabled = await preview('mail=disabled&locale=de');
    expect(disabled.body.text).toContain(
      'Der Endpunkt hat mit 410 Gone geantwortet. Dorthin wird nichts mehr gesendet.',
    );
  });

  test('has the pictures and the color, light and dark, in a frame that can do nothing', async () => {
    const dark = await preview('mail=securityNotice&theme=dark');
    for (const part of [LOOK.logo_url, LOOK.icon_url, LOOK.accent_color, '@media all']) {
      expect(dark.body.text).toContain(part);
    }
    expect((await preview('theme=light')).body.text).toContain('@media not all');
    expect(dark.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(dark.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('knows no game of another company', async () => {
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    expect(await preview(`game_id=${other.gameId}`)).toMatchObject({ status: 404, body: { code: 'game_not_found' } });
    expect((await preview(`game_id=${shop.account.gameId}`)).status).toBe(200);
  });

  test('has every mail about an account that there is', () => {
    const kinds = Object.keys(accountMails.languages.en).flatMap(key => /^(\w+)\.subject$/.exec(key)?.[1] ?? []);
    expect(SENT_MAILS).toEqual(expect.arrayContaining(kinds));
  });
});

describe('a mail about an account', () => {
  const lookOf = async (recipient: string): Promise<unknown> =>
    (JSON.parse((await mailTo(shop, recipient))!.text) as { look?: unknown }).look;
  const STUDIO = { iconUrl: LOOK.icon_url, logoUrl: LOOK.logo_url, accentColor: LOOK.accent_color };

  test('looks like the studio of its reader', async () => {
    const { email, browser } = await signedInMember(shop, 'viewer');
    const change = { current_password: PASSWORD, password: 'seven green kettles' };
    expect((await browser.call('POST', '/me/password', change)).status).toBe(204);
    expect(await lookOf(email)).toEqual(STUDIO);
    const next = `next-${email}`;
    await owner.browser.call('POST', '/me/email', { email: next, password: PASSWORD });
    expect(await lookOf(next)).toBeUndefined();
    await owner.browser.call('POST', '/email_changes/use', { token: await tokenTo(shop, next) });
    expect(await lookOf(owner.email)).toEqual(STUDIO);
  });

  test('has no pictures where a stranger may read it: invitations, addresses that were never proven', async () => {
    const { browser } = await signedInMember(shop, 'owner');
    const invited = await browser.call('POST', company('/invitations'), { email: 'new@example.com', role: 'viewer' });
    expect(invited.status).toBe(201);
    expect(await lookOf('new@example.com')).toEqual({ iconUrl: null, logoUrl: null, accentColor: LOOK.accent_color });
    const unproven = await signedInMember(shop, 'viewer');
    await shop.database.db.query({
      name: '',
      text: 'update users set email_verified_at = null where id = $1',
      values: [unproven.userId],
    });
    await browser.call('POST', '/password_resets', { email: unproven.email });
    await shop.program.parts.background.settle();
    expect(await lookOf(unproven.email)).toBeUndefined();
  });

  test('looks like none where its reader works for several', async () => {
    const both = await signedInMember(shop, 'viewer');
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    await shop.database.db.query({
      name: '',
      text: `insert into members (company_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`,
      values: [other.companyId, both.userId],
    });
    await owner.browser.call('POST', '/password_resets', { email: both.email });
    await shop.program.parts.background.settle();
    expect(await lookOf(both.email)).toBeUndefined();
  });
});
