import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { signHeaders } from './signature.ts';

interface Vector {
  name: string;
  headers: Record<string, string>;
  made_from: {
    secret: string;
    previous_secret?: string;
    timestamp: string;
    body: string;
    upper_case?: true;
    without?: string[];
  };
}

const FILE = new URL('../../../../../../docs/reference/signature-vectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as { vectors: Vector[] };
const plain = vectors.filter(({ made_from: { timestamp, upper_case, without } }) => {
  return /^\d+$/.test(timestamp) && !upper_case && !without;
});

it.each(plain)('the vector $name has the headers that are really sent', ({ headers, made_from }) => {
  const sent = signHeaders({
    body: made_from.body,
    timestampSeconds: Number(made_from.timestamp),
    idempotencyKey: 'evt_1',
    attempt: 1,
    secret: made_from.secret,
    previousSecret: made_from.previous_secret ?? null,
  });
  expect(sent).toMatchObject(headers);
  expect('x-service-signature-previous' in sent).toBe('x-service-signature-previous' in headers);
});
