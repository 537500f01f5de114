import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCoinslot } from '@coinslot/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { watchDelivery } from './watch-delivery.ts';

const ATTEMPT = { attempt: 1, status: 200 };
const PENDING = { id: 'dlv_1', status: 'pending', attempts_made: 1, attempts: [], last_status: null, last_error: null };

/** A service that gives these answers one after the other. */
async function clientOf(...answers: object[]) {
  const server = createServer((_request, response) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createCoinslot({ key: 'sk_sandbox_key', baseUrl });
}

test('a log that was read after the end, with a status from before it, is read again', async () => {
  const succeeded = { ...PENDING, status: 'succeeded', attempts: [ATTEMPT], last_status: 200 };
  const client = await clientOf(PENDING, { ...PENDING, attempts: [ATTEMPT] }, succeeded);
  expect(await watchDelivery(client, 'dlv_1', 0)).toMatchObject({ status: 'succeeded', last_status: 200 });
});

test('an attempt that failed is told, although the delivery goes on', async () => {
  const failed = { ...PENDING, attempts: [{ ...ATTEMPT, status: 500 }], last_status: 500 };
  const client = await clientOf(PENDING, failed);
  expect(await watchDelivery(client, 'dlv_1', 0)).toMatchObject({ status: 'pending', last_status: 500 });
});
