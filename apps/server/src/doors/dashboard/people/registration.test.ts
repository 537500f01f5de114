import { mailTo, newBrowser, PASSWORD, signedInMember } from '@coinslot/testing/dashboard';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { smtpReceiver } from '@coinslot/testing/smtp-receiver';
import { afterEach, describe, expect, test } from 'vitest';
import { setupCode } from '../../../domain/game/setup-code.ts';
import { createSeal } from '../../../kit/seal.ts';

const GAME = 'https://play.google.com/store/apps/details?id=com.stranger.game';

let shop: TestProgram | undefined;

afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_51operator',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_51operator',
};

async function ask(email = 'stranger@example.com') {
  const browser = newBrowser(shop!.url);
  const { registration_open } = await browser.open();
  const game_url = 'https://play.google.com/store/apps/details?id=com.stranger.game';
  const form = { email, password: PASSWORD, company: 'Strangers', game_url };
  return { registration_open, answer: await browser.call('POST', '/register', form) };
}

test('a visitor learns whether anyone has registered here, and whether live is simulated', async () => {
  shop = await startProgram({ workers: false, env: { LIVE_GATEWAY: 'simulator' } });
  const { url, database } = shop;
  expect(await newBrowser(url).open()).toMatchObject({ installation_is_new: false, live_is_simulated: true });
  await database.db.query({ name: '', text: 'truncate companies cascade', values: [] });
  expect(await newBrowser(url).open()).toMatchObject({ installation_is_new: true });
  await shop.close();
  shop = await startProgram({ workers: false, env: { REGISTRATION: 'closed' } });
  await shop.database.db.query({ name: '', text: 'truncate companies cascade', values: [] });
  expect(await newBrowser(shop.url).open()).toMatchObject({ installation_is_new: false, live_is_simulated: false });
});

describe('a stranger at an operator’s installation (row 106)', () => {
  test('cannot register where registration is closed', async () => {
    shop = await startProgram({ workers: false, env: { REGISTRATION: 'closed' } });
    expect(await ask()).toMatchObject({
      registration_open: false,
      answer: { status: 403, body: { code: 'registration_closed' } },
    });
  });

  test('in production: only until there is a company, unless it is opened', async () => {
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://pay.example.com',
      MASTER_KEY: MASTER_KEY.toString('base64'),
    };
    const { loadConfig } = await import('../../../settings/config.ts');
    expect(loadConfig(production).registration).toBe('first');
    expect(loadConfig({ ...production, REGISTRATION: 'open' }).registration).toBe('open');
    expect(loadConfig({}).registration).toBe('open');
  });

  test('the first of a production installation needs the code that the program printed (row 159)', async () => {
    shop = await startProgram({ workers: false });
    const { registerVisitor } = await import('../../../domain/game/register-visitor.ts');
    const { db } = shop.database;
    await db.query({ name: '', text: 'truncate companies cascade', values: [] });
    const passwordCost = { memoryKib: 8, passes: 1 };
    const given = { ...shop.program.purchasing, db, registration: 'first', mailer: null, passwordCost } as const;
    let visitors = 0;
    const come = (code?: string) =>
      registerVisitor(
        given,
        { email: `a${++visitors}@example.com`, password: PASSWORD, company: 'S', gameUrl: GAME, setupCode: code },
        { ip: `203.0.113.${visitors}`, userAgent: '', browserCookie: null, language: 'en' },
      );
    const right = setupCode(given.seal);
    expect(right).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    for (const wrong of [undefined, '', 'AAAA-AAAA-AAAA', right.slice(0, -1)]) {
      await expect(come(wrong)).rejects.toMatchObject({
        code: 'validation_failed',
        issues: [{ pointer: '/setup_code', code: 'setup_code' }],
      });
    }
    expect(await come(right)).toEqual(expect.any(String));
  });

  test('two strangers who come first at once: one company is made', async () => {
    shop = await startProgram({ workers: false });
    const { registerVisitor } = await import('../../../domain/game/register-visitor.ts');
    const { db } = shop.database;
    await db.query({ name: '', text: 'truncate companies cascade', values: [] });
    const passwordCost = { memoryKib: 8, passes: 1 };
    const given = { ...shop.program.purchasing, db, registration: 'first', mailer: null, passwordCost } as const;
    const come = (email: string) =>
      registerVisitor(
        given,
        { email, password: PASSWORD, company: 'S', gameUrl: GAME, setupCode: setupCode(given.seal).toLowerCase() },
        { ip: email, userAgent: '', browserCookie: null, language: 'en' },
      );
    const came = await Promise.allSettled(['a@example.com', 'b@example.com', 'c@example.com'].map(come));
    expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('never has the operator’s provider account, nor its days', async () => {
    shop = await startProgram({ workers: false, env: KEYS });
    const strangers = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    await shop.database.db.query({
      name: '',
      text: `insert into reconciliation_runs (account_id, day, company_id, state, claim_id, alive_at, started_at)
             values ('settings', '2026-01-01', null, 'done', 'x', now(), now())`,
      values: [],
    });
    const seen = async (companyId: string) => {
      const { browser } = await signedInMember(shop!, 'owner', companyId);
      const provider = await browser.call('GET', `/companies/${companyId}/providers/stripe`);
      const runs = await browser.call<{ data: object[] }>('GET', `/companies/${companyId}/reconciliation/runs`);
      return { connections: provider.body.connections, runs: runs.body.data?.length };
    };
    expect(await seen(shop.account.companyId)).toMatchObject({ connections: [{ source: 'settings' }], runs: 1 });
    expect(await seen(strangers.companyId)).toEqual({ connections: [], runs: 0 });
    const { directory } = shop.program.parts.live.of('stripe')!;
    expect(await directory.current(strangers.live.environmentId)).toBeNull();
    expect(await directory.recent(strangers.live.environmentId)).toEqual([]);
    expect(await directory.recent(shop.account.live.environmentId)).toHaveLength(1);
  });

  test('an operator names the companies that the account belongs to', async () => {
    const named = 'cmp_01jd3v7q8w5e6r7t8y9v0a1b2c';
    shop = await startProgram({ workers: false, env: { ...KEYS, STRIPE_COMPANIES: named } });
    const { isOfSettings } = shop.program.parts.live.of('stripe')!;
    expect(await isOfSettings(named)).toBe(true);
    expect(await isOfSettings(shop.account.companyId)).toBe(false);
  });
});

test('where mail is sent, a taken address is answered like a free one, and its owner is told', async () => {
  const smtp = await smtpReceiver();
  shop = await startProgram({ workers: false, env: { SMTP_URL: smtp.url } });
  const { email } = await signedInMember(shop, 'viewer');
  const [taken, free] = [(await ask(email)).answer, (await ask('free@example.com')).answer];
  const shown = ({ status, body }: typeof taken) => ({ status, body: { ...body, csrf_token: '' } });
  expect(shown(taken)).toEqual(shown(free));
  expect(taken.body).toMatchObject({ user: null, companies: [] });
  await shop.program.parts.background.settle();
  expect((await mailTo(shop, email))?.subject).toBe('Your e-mail address was entered at Coinslot');
  expect((await mailTo(shop, 'free@example.com'))?.subject).toBe('Confirm your e-mail address for Coinslot');
  await smtp.close();
});
