import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@coinslot/testing/certificates';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Answer, createStudio, type Studio } from '../game-studio.ts';
import { type Payload, type ReferenceReceiver, startReceiver } from '../reference-receiver.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';

/** One program, one account and one receiver for the whole walk; filled by `setStage`. */
export let coinslot: Coinslot;
export let account: Account;
export let studio: Studio;
export let receiver: ReferenceReceiver;

export const deliveriesOf = (id: string): Payload[] =>
  receiver.received.map(({ payload }) => payload).filter(({ event_data }) => event_data.order_id === id);

export const subscription = () => ({
  events: ['item.add', 'item.remove'],
  url: receiver.url,
  description: 'items of the game',
  method: 'POST',
  enabled: true,
  enabled_logs: true,
  player_context_enabled: false,
});

export async function subscribe(changes: object = {}): Promise<Answer['body']> {
  const answer = await studio.call('POST', '/s2s/v1/webhooks', { ...subscription(), ...changes });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** Starts everything before the tests; each test begins with one subscription and an empty inventory. */
export function setStage(): void {
  let scratch: string;
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'coinslot-interface-'));
    const authority = createAuthority();
    await writeFile(join(scratch, 'ca.pem'), authority.ca);
    receiver = await startReceiver(authority.issue(['localhost']), () => account.sandbox.s2s_key);
    coinslot = await startCoinslot({ NODE_EXTRA_CA_CERTS: join(scratch, 'ca.pem') });
    account = await coinslot.setup();
    studio = createStudio(coinslot, account);
  });
  beforeEach(async () => {
    receiver.forget();
    await studio.unsubscribeAll();
    await subscribe();
  });
  afterAll(async () => {
    await coinslot?.stop();
    receiver?.close();
    await rm(scratch, { recursive: true, force: true });
  });
}
