import { mailTo, newBrowser, PASSWORD, signedInMember, tokenTo } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { CHEAP_PASSWORDS } from '@coinslot/testing/registered-game';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { userCommand } from './user.ts';

let shop: TestProgram;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});
afterAll(() => shop?.close());

async function run(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await userCommand.run(argv, {
    db: shop.database.db,
    publicUrl: shop.url,
    passwordCost: CHEAP_PASSWORDS,
    write: text => void out.push(text),
    writeError: text => void err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const NEXT = 'seven green kettles';
const PROOF = 'passport seen by the operator in a video call';

async function signIn(email: string, password: string) {
  const browser = newBrowser(shop.url);
  await browser.open();
  return { browser, answer: await browser.call('POST', '/sign_in', { email, password }) };
}

async function memberWithApp(role: 'owner' | 'developer') {
  const member = await signedInMember(shop, role);
  const { body } = await member.browser.call<{ secret: string }>('POST', '/me/totp', {});
  const code = generateSync({ secret: body.secret, epoch: shop.program.parts.clock.nowSeconds() });
  const codes = await member.browser.call<{ recovery_codes: string[] }>('POST', '/me/totp/confirm', { code });
  expect(codes.status).toBe(200);
  return { ...member, codes: codes.body.recovery_codes };
}

describe('an operator in the shell', () => {
  test('ends every session of a user, and says what is wrong', async () => {
    const { email, browser } = await signedInMember(shop, 'developer');
    expect(await run('end-sessions', email)).toEqual({ code: 0, out: `${email} is signed out everywhere.`, err: '' });
    expect((await browser.call('GET', '/me')).status).toBe(401);
    expect((await signIn(email, PASSWORD)).answer.status).toBe(200);
    expect(await run('end-sessions', 'no-one@example.com')).toMatchObject({ code: 1, out: '' });
    expect(await run('remove', email)).toMatchObject({ code: 2, out: '' });
  });

  test('replaces lost factors: what was known before opens nothing, and the link in the mailbox does (row 236)', async () => {
    const owner = await signedInMember(shop, 'owner');
    const { email, browser, codes } = await memberWithApp('developer');
    expect(await run('replace-factors', email)).toMatchObject({ code: 2, out: '' });
    expect(await run('replace-factors', email, '--proof', 'it is he')).toMatchObject({ code: 2, out: '' });
    expect((await browser.call('GET', '/me')).status).toBe(200);

    const done = await run('replace-factors', email, '--proof', PROOF);
    expect(done).toMatchObject({ code: 0, err: '' });
    const token = await tokenTo(shop, email);
    expect(done.out).not.toContain(token);
    expect(await mailTo(shop, email)).toMatchObject({ subject: 'Your second factor was removed' });
    expect((await browser.call('GET', '/me')).status).toBe(401);
    expect((await signIn(email, PASSWORD)).answer.status).toBe(401);
    const out = newBrowser(shop.url);
    await out.open();
    expect((await out.call('POST', '/password_resets/use', { token, password: NEXT })).status).toBe(204);
    const { browser: back, answer } = await signIn(email, NEXT);
    expect(answer.status).toBe(200);
    expect((await back.call('GET', '/me')).body).toMatchObject({ totp_enabled: false });
    expect(codes.length).toBeGreaterThan(0);
    const left = await shop.database.db.query({
      name: '',
      text: 'select 1 from recovery_codes c join users u on u.id = c.user_id where u.email = $1',
      values: [email],
    });
    expect(left).toEqual([]);

    await shop.program.workers.drain();
    const notice = (await mailTo(shop, owner.email))?.text ?? '';
    expect(notice).toContain('The operator replaced the second factor of a member');
    const { body } = await back.call<{ data: object[] }>('GET', '/me/security_events');
    expect(body.data).toContainEqual(
      expect.objectContaining({ kind: 'user.factors_replaced', ip: null, after: { proof: PROOF } }),
    );
  });

  test('finds nothing to replace where there is no second factor', async () => {
    const { email } = await signedInMember(shop, 'viewer');
    const refused = await run('replace-factors', email, '--proof', PROOF);
    expect(refused).toEqual({ code: 1, out: '', err: `${email} has no second factor.` });
    expect((await signIn(email, PASSWORD)).answer.status).toBe(200);
  });
});
