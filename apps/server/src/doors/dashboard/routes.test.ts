import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let shop: TestProgram;
let owner: TestMember;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = await signedInMember(shop, 'owner');
});
afterAll(() => shop?.close());

/** As it comes over the wire; `fetch` would unpack it. */
async function read(path: string, accepted?: string) {
  const headers = {
    cookie: `coinslot=${owner.browser.cookie}`,
    ...(accepted !== undefined && { 'accept-encoding': accepted }),
  };
  const [response] = (await once(get(`${shop.url}/dashboard/api${path}`, { headers }), 'response')) as [
    IncomingMessage,
  ];
  return { response, body: await buffer(response) };
}

const methods = (): string => `/companies/${shop.account.companyId}/methods`;

describe('an answer of the dashboard', () => {
  test('that is long comes packed to a browser that unpacks, and is the same', async () => {
    const plain = await read(methods());
    expect(plain.response.headers).toMatchObject({ vary: 'accept-encoding' });
    expect(plain.response.headers).not.toHaveProperty('content-encoding');
    const packed = await read(methods(), 'gzip, deflate, br');
    expect(packed.response.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(packed.body.length),
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
    });
    expect(packed.body.length * 4).toBeLessThan(plain.body.length);
    expect(gunzipSync(packed.body)).toEqual(plain.body);
  });

  test.each(['identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])('is left as it is for %s', async accepted => {
    const { response, body } = await read(methods(), accepted);
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(body.toString())).toHaveProperty('data');
  });

  test('that holds the token for changes, or is short, or a refusal, is never packed', async () => {
    // So many games that the session's answer is long.
    for (let at = 0; at < 12; at++) {
      await owner.browser.call('POST', `/companies/${shop.account.companyId}/games`, {
        game_url: `https://play.google.com/store/apps/details?id=com.example.game${at}`,
        game_name: `Another game, number ${at}`,
      });
    }
    const session = await read('/session', 'gzip');
    expect(session.body.length).toBeGreaterThan(1_200);
    expect(session.response.headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(session.body.toString())).toHaveProperty('csrf_token', owner.browser.csrf);
    for (const path of ['/me', '/companies/cmp_none/methods']) {
      expect((await read(path, 'gzip')).response.headers).not.toHaveProperty('content-encoding');
    }
  });
});
