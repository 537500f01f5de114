import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, test } from 'vitest';

let shop: TestProgram;
let owner: TestMember;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = await signedInMember(shop, 'owner');
});

afterAll(() => shop?.close());

test.each(['\u202Egnp.exe', 'a\u2066b', 'a\u202Db\u202C'])(
  'what owners are mailed, players read and members share turns no text round (row 234): %j',
  async name => {
    const game = `/games/${shop.account.gameId}/sandbox`;
    const company = `/companies/${shop.account.companyId}`;
    const asks: [string, string, object][] = [
      ['POST', `${game}/keys`, { label: name }],
      ['POST', `${game}/views`, { list: 'orders', name, filters: 'status=paid', is_shared: true }],
      ['PATCH', `${company}/seller`, { legal_name: name }],
      ['PATCH', `${company}/seller`, { address: name }],
      ['PATCH', `${company}/seller`, { registration_number: name }],
      ['PATCH', `${company}/seller`, { tax_number: name }],
    ];
    for (const [method, path, body] of asks) {
      const answer = await owner.browser.call(method, path, body);
      expect({ body, status: answer.status, code: answer.body.code }).toEqual({
        body,
        status: 422,
        code: 'validation_failed',
      });
    }
    // Marks of scripts that run from right to left are part of names.
    expect((await owner.browser.call('POST', `${game}/keys`, { label: 'شركة\u200F' })).status).toBe(201);
  },
);
