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

const company = (path = ''): string => `/companies/${shop.account.companyId}${path}`;

test('the seller is changed field by field, with links that are safe to show, and the change is on record', async () => {
  const { browser } = owner;
  const first = await browser.call('PATCH', company('/seller'), {
    legal_name: ' Northwind GmbH ',
    support: 'help@example.com',
  });
  expect(first.body).toMatchObject({ legal_name: 'Northwind GmbH', support: 'help@example.com', terms_url: null });
  const second = await browser.call('PATCH', company('/seller'), {
    support: null,
    terms_url: 'https://example.com/terms',
  });
  expect(second.body).toMatchObject({
    legal_name: 'Northwind GmbH',
    support: null,
    terms_url: 'https://example.com/terms',
  });
  expect((await browser.call('GET', company())).body).toMatchObject({ seller: second.body });
  for (const wrong of [
    { support: 'call us' },
    { support: 'javascript:alert(1)' },
    { terms_url: 'http://example.com' },
    { country: 'Germany' },
  ]) {
    expect([wrong, (await browser.call('PATCH', company('/seller'), wrong)).status]).toEqual([wrong, 422]);
  }
  const audit = await browser.call<{ data: { before: unknown }[] }>('GET', company('/audit?kind=seller'));
  expect(audit.body.data[0]).toMatchObject({ before: { support: 'help@example.com' }, after: { support: null } });
});

test('what the contract does not declare reaches neither the company nor the log (row 134)', async () => {
  const { browser } = owner;
  const path = company('/seller');
  const answer = await browser.call('PATCH', path, { legal_name: 'Contoso', padding: 'x'.repeat(100_000) });
  expect(answer).toMatchObject({ status: 200, body: { legal_name: 'Contoso' } });
  expect(answer.body).not.toHaveProperty('padding');
  const audit = await browser.call('GET', company('/audit?kind=seller'));
  expect(JSON.stringify(audit.body).length).toBeLessThan(10_000);
});
