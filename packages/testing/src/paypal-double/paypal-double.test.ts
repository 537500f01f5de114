import { afterAll, describe, expect, it } from 'vitest';
import { startPaypalDouble } from './paypal-double.ts';

const paypal = await startPaypalDouble();
afterAll(() => paypal.close());

const token = async (): Promise<string> => {
  const basic = Buffer.from(`${paypal.keys.clientId}:${paypal.keys.secret}`).toString('base64');
  const init = { method: 'POST', headers: { authorization: `Basic ${basic}` }, body: 'grant_type=client_credentials' };
  return ((await (await fetch(`${paypal.url}/v1/oauth2/token`, init)).json()) as { access_token: string }).access_token;
};

async function post(path: string, body: object, requestId?: string) {
  const headers = {
    authorization: `Bearer ${await token()}`,
    ...(requestId !== undefined && { 'paypal-request-id': requestId }),
  };
  const answer = await fetch(`${paypal.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as { id: string; details?: object[] } };
}

const amount = { currency_code: 'EUR', value: '4.99' };
const order = (more: object = {}, unit: object = {}) => ({
  intent: 'AUTHORIZE',
  purchase_units: [{ amount, ...unit }],
  ...more,
});
const CREATE = '/v2/checkout/orders';

describe('the double of PayPal refuses', () => {
  it.each([
    ['an unknown field', order({ capture: true }), 400, 'UNKNOWN_FIELD', '/capture'],
    ['a field in the wrong place', order({}, { currency: 'EUR' }), 400, 'UNKNOWN_FIELD', '/purchase_units/0/currency'],
    ['a missing field', { intent: 'AUTHORIZE' }, 400, 'MISSING_REQUIRED_PARAMETER', '/purchase_units'],
    ['a word that is none of its own', order({ intent: 'RESERVE' }), 400, 'INVALID_PARAMETER_VALUE', '/intent'],
    [
      'a number for a text',
      order({}, { amount: { ...amount, value: 4.99 } }),
      400,
      'INVALID_PARAMETER_SYNTAX',
      '/purchase_units/0/amount/value',
    ],
    [
      'a text that is too long',
      order({}, { custom_id: 'x'.repeat(128) }),
      400,
      'INVALID_PARAMETER_SYNTAX',
      '/purchase_units/0/custom_id',
    ],
    [
      'decimals of a currency without',
      order({}, { amount: { currency_code: 'TWD', value: '4.99' } }),
      422,
      'DECIMAL_PRECISION',
      '/purchase_units/0/amount/value',
    ],
    [
      'a currency that it does not take',
      order({}, { amount: { currency_code: 'ISK', value: '499' } }),
      422,
      'INVALID_CURRENCY_CODE',
      '/purchase_units/0/amount/currency_code',
    ],
  ] as const)('%s', async (_, body, status, issue, field) => {
    expect(await post(CREATE, body)).toMatchObject({ status, body: { details: [{ issue, field }] } });
  });

  it('to authorize before the player said yes, and twice', async () => {
    const { id } = (await post(CREATE, order())).body;
    const path = `${CREATE}/${id}/authorize`;
    expect(await post(path, {})).toMatchObject({ body: { details: [{ issue: 'ORDER_NOT_APPROVED' }] } });
    paypal.store.orders.get(id)!.status = 'APPROVED';
    expect(await post(path, {})).toMatchObject({ status: 201 });
    expect(await post(path, {})).toMatchObject({ body: { details: [{ issue: 'ORDER_ALREADY_AUTHORIZED' }] } });
  });
});

it('the double of PayPal repeats an answer under its request id, errors too', async () => {
  const first = await post(CREATE, order(), 'once');
  expect((await post(CREATE, order(), 'once')).body.id).toBe(first.body.id);
  paypal.faults.plan(/orders$/, { kind: 'refuse', status: 500 });
  expect(await post(CREATE, order(), 'twice')).toMatchObject({ status: 500 });
  expect(await post(CREATE, order(), 'twice')).toMatchObject({ status: 500 });
});

it('the double of PayPal takes evidence as parts of a form, JSON among them as no file', async () => {
  const input = JSON.stringify({ evidences: [{ evidence_type: 'OTHER', notes: 'It was delivered.' }] });
  const asFile = new FormData();
  asFile.append('input', new Blob([input], { type: 'application/json' }));
  const part = `content-disposition: form-data; name="input"\r\ncontent-type: application/json\r\n\r\n${input}`;
  const form = `--end\r\n${part}\r\n--end--\r\n`;
  const send = async (body: RequestInit['body'], type?: string): Promise<number> => {
    const headers = { authorization: `Bearer ${await token()}`, ...(type && { 'content-type': type }) };
    const path = '/v1/customer/disputes/PP-D-1/provide-evidence';
    return (await fetch(`${paypal.url}${path}`, { method: 'POST', headers, body: body ?? null })).status;
  };
  expect(await send(JSON.stringify({ input: JSON.parse(input) }), 'application/json')).toBe(415);
  expect(await send(asFile)).toBe(400);
  // There is no such dispute, but the form was read.
  expect(await send(form, 'multipart/form-data; boundary=end')).toBe(404);
});
