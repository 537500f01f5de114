import { afterAll, describe, expect, it } from 'vitest';
import { startPaypalDouble } from './paypal-double/paypal-double.ts';
import { startStripeDouble, TEST_KEYS } from './stripe-double/stripe-double.ts';

const [paypal, stripe] = await Promise.all([startPaypalDouble(), startStripeDouble()]);
afterAll(() => Promise.all([paypal.close(), stripe.close()]));

const PDF = '%PDF-1.7 ';
const file = (content: string, name = 'receipt-1.pdf') => ({ name, blob: new Blob([Buffer.from(content, 'latin1')]) });

describe('the double of Stripe refuses', () => {
  const send = async (given: { name: string; blob: Blob } | null, purpose = 'dispute_evidence') => {
    const form = new FormData();
    form.append('purpose', purpose);
    if (given) form.append('file', given.blob, given.name);
    const headers = { authorization: `Bearer ${TEST_KEYS.secret}` };
    const answer = await fetch(`${stripe.url}/v1/files`, { method: 'POST', headers, body: form });
    return { status: answer.status, body: (await answer.json()) as { id: string; error?: { param?: string } } };
  };

  it.each([
    ['another type, whatever its name says', file('GIF89a', 'receipt-1.pdf'), undefined, 'file'],
    ['more than 5 MB', file(PDF.padEnd(5_000_001)), undefined, 'file'],
    ['no file', null, undefined, 'file'],
    ['another purpose', file(PDF), 'business_logo', 'purpose'],
  ])('%s', async (_, given, purpose, param) => {
    expect(await send(given, purpose)).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it('files that are together larger than 4.5 MB, and one that it does not have', async () => {
    const [one, other] = await Promise.all([send(file(PDF.padEnd(3_000_000))), send(file(PDF.padEnd(3_000_000)))]);
    const update = async (evidence: Record<string, string>) => {
      const fields = Object.entries(evidence).map(([name, id]) => [`evidence[${name}]`, id]);
      const headers = {
        authorization: `Bearer ${TEST_KEYS.secret}`,
        'content-type': 'application/x-www-form-urlencoded',
      };
      stripe.store.disputes.set('dp_1', {
        id: 'dp_1',
        status: 'needs_response',
        evidence: {},
        evidence_details: {},
      } as never);
      const body = new URLSearchParams(fields);
      return (await fetch(`${stripe.url}/v1/disputes/dp_1`, { method: 'POST', headers, body })).status;
    };
    expect(await update({ receipt: one.body.id, uncategorized_file: other.body.id })).toBe(400);
    expect(await update({ receipt: 'file_of_nobody' })).toBe(400);
    expect(await update({ receipt: one.body.id })).toBe(200);
  });
});

describe('the double of PayPal refuses', () => {
  const token = async (): Promise<string> => {
    const basic = Buffer.from(`${paypal.keys.clientId}:${paypal.keys.secret}`).toString('base64');
    const init = {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: 'grant_type=client_credentials',
    };
    return ((await (await fetch(`${paypal.url}/v1/oauth2/token`, init)).json()) as { access_token: string })
      .access_token;
  };

  it.each([
    ['another type', [file('PK\u0003\u0004')], ['receipt-1.pdf'], 'INVALID_FILE_TYPE'],
    ['a name with signs', [file(PDF, 'a/b.pdf')], ['receipt-1.pdf'], 'INVALID_FILE_NAME'],
    ['more than 10 MB', [file(PDF.padEnd(10_000_001))], ['receipt-1.pdf'], 'FILE_SIZE_EXCEEDED'],
    ['a document that is named and not there', [], ['receipt-1.pdf'], 'DOCUMENTS_DO_NOT_MATCH'],
    [
      'a document that is there and not named',
      [file(PDF), file(PDF, 'other-1.pdf')],
      ['receipt-1.pdf'],
      'DOCUMENTS_DO_NOT_MATCH',
    ],
  ])('%s', async (_, given, names, issue) => {
    const boundary = 'here';
    const input = { evidences: [{ evidence_type: 'OTHER', documents: names.map(name => ({ name })) }] };
    const parts = [
      `--${boundary}\r\ncontent-disposition: form-data; name="input"\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(input)}\r\n`,
      ...(await Promise.all(
        given.map(async ({ name, blob }) => {
          const head = `--${boundary}\r\ncontent-disposition: form-data; name="evidence-file"; filename="${name}"\r\n\r\n`;
          return `${head}${Buffer.from(await blob.arrayBuffer()).toString('latin1')}\r\n`;
        }),
      )),
      `--${boundary}--\r\n`,
    ];
    const answer = await fetch(`${paypal.url}/v1/customer/disputes/PP-1/provide-evidence`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await token()}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: Buffer.from(parts.join(''), 'latin1'),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: [{ issue }] });
  });
});
