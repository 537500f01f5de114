import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OutcomeUnknown } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import { createSimulator } from '../../../apps/server/src/domain/payment/providers/simulator/simulator.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { disputeIn } from './purchase-samples.ts';
import { cardRequest } from './simulator-books.ts';
import { refusal, type UnreliableGateway, unreliableGateway } from './unreliable-gateway.ts';

let database: TestDatabase;
let gateway: UnreliableGateway;
beforeAll(async () => {
  database = await testDatabase();
  gateway = unreliableGateway(createSimulator({ db: database.db }));
});
afterAll(() => database.drop());

it('a lost request did nothing, a lost answer did it, and both sound the same', async () => {
  gateway.misbehave('authorize', { kind: 'time_out_before' });
  gateway.misbehave('authorize', { kind: 'time_out_after' });
  const [lost, done] = [cardRequest(), cardRequest()];
  await expect(gateway.authorize(lost)).rejects.toThrow(OutcomeUnknown);
  await expect(gateway.authorize(done)).rejects.toThrow(OutcomeUnknown);
  expect(await gateway.lookUp(lost)).toBeNull();
  expect(await gateway.lookUp(done)).toMatchObject({ status: 'authorized' });
});

it('fails as often as it is told, then works', async () => {
  const asked = cardRequest();
  gateway.misbehave('authorize', { kind: 'time_out_before' }, 3);
  for (let n = 0; n < 3; n++) await expect(gateway.authorize(asked)).rejects.toThrow(OutcomeUnknown);
  expect(await gateway.authorize(asked)).toMatchObject({ status: 'authorized' });
  expect(gateway.calls.filter(({ paymentId }) => paymentId === asked.paymentId)).toHaveLength(4);
});

it('a slow call waits for the test, before or after the effect', async () => {
  const [before, after] = [cardRequest(), cardRequest()];
  const line = new EventEmitter();
  const until = once(line, 'free').then(() => {});
  gateway.misbehave('authorize', { kind: 'slow_before', until });
  gateway.misbehave('authorize', { kind: 'slow_after', until });
  const pending = [gateway.authorize(before), gateway.authorize(after)];
  expect(await gateway.lookUp(before)).toBeNull();
  line.emit('free');
  expect(await Promise.all(pending)).toMatchObject([{ status: 'declined' }, { status: 'authorized' }]);
});

it('refuses what it is told to, and nothing happened at the provider', async () => {
  const asked = cardRequest();
  gateway.misbehave('authorize', { kind: 'refuse', refusal: refusal({ code: 'no_such_key' }) });
  expect(await gateway.authorize(asked)).toMatchObject({ status: 'declined', declinedBy: 'shop' });
  const held = cardRequest();
  await gateway.authorize(held);
  gateway.misbehave('capture', { kind: 'refuse', refusal: refusal({ isFinal: true }) });
  expect(await gateway.capture(held)).toMatchObject({ kind: 'refused', refusal: { isFinal: true } });
  expect(await gateway.lookUp(held)).toMatchObject({ status: 'authorized' });
});

it('says what it is told to say of a charge, until it behaves', async () => {
  const asked = cardRequest();
  await gateway.authorize(asked);
  gateway.pretend(asked.paymentId, { disputes: [disputeIn('unclear')] });
  expect(await gateway.capture(asked)).toMatchObject({
    charge: { status: 'captured', disputes: [{ status: 'unclear' }] },
  });
  gateway.behave();
  expect(await gateway.lookUp(asked)).toMatchObject({ status: 'captured', disputes: [] });
});
