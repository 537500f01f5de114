import { expect, it } from 'vitest';
import { systemClock } from '../../../kit/clock.ts';
import { chaoticSender } from './chaotic-sender.ts';
import type { Exchange } from './exchange.ts';
import type { Sender, SendRequest } from './send.ts';

const CALM = 0.99;

const granted: Exchange = {
  startedAtMs: 0,
  durationMs: 1,
  status: 200,
  responseHeaders: {},
  responseBody: '',
  responseBodyCut: false,
  succeeded: true,
  declined: false,
  retryAfterSeconds: null,
  failure: null,
  error: null,
};

/** A sender that notes what it got, in a chaos whose dice are given: delay, copy, request lost, answer lost. */
function inChaos(dice: number[], chaoticId = 'env_sandbox') {
  const sent: SendRequest[] = [];
  const plain: Sender = {
    send: async request => {
      sent.push(request);
      return granted;
    },
    close: async () => {},
  };
  const sender = chaoticSender(plain, {
    isChaotic: async id => id === chaoticId,
    random: () => dice.shift() ?? CALM,
    clock: systemClock,
  });
  const send = (environmentId = 'env_sandbox') =>
    sender.send({ url: 'https://game.example.com', body: '{}', headers: {}, environmentId });
  return { sent, send, sender };
}

it('goes through when no dice strike', async () => {
  const { send, sent } = inChaos([]);
  expect(await send()).toBe(granted);
  expect(sent).toHaveLength(1);
});

it('is sent again, with the same bytes and headers, when it is doubled', async () => {
  const { send, sent } = inChaos([CALM, 0, 0]);
  expect(await send()).toBe(granted);
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]).toEqual(sent[0]);
});

it('waits when it is delayed, so that a later one overtakes it', async () => {
  const { send, sent } = inChaos([0, 0.01, CALM, CALM, CALM]);
  const late = send();
  const next = send('env_other');
  await next;
  expect(sent.map(({ environmentId }) => environmentId)).toEqual(['env_other']);
  await late;
  expect(sent.map(({ environmentId }) => environmentId)).toEqual(['env_other', 'env_sandbox']);
});

it('never arrives when the request is lost, and counts as failed', async () => {
  const { send, sent } = inChaos([CALM, CALM, 0]);
  expect(await send()).toMatchObject({
    succeeded: false,
    failure: 'timeout',
    error: expect.stringMatching(/^chaos: /),
  });
  expect(sent).toHaveLength(0);
});

it('arrives and counts as failed when its answer is lost', async () => {
  const { send, sent } = inChaos([CALM, CALM, CALM, 0]);
  expect(await send()).toMatchObject({ succeeded: false, error: expect.stringMatching(/answer was lost/) });
  expect(sent).toHaveLength(1);
});

it('strikes no other environment, whatever the dice say', async () => {
  const { send, sent } = inChaos([0, 0, 0, 0]);
  expect(await send('env_live')).toBe(granted);
  expect(sent).toHaveLength(1);
});

it('sends no copy after the program closed it', async () => {
  const { send, sent, sender } = inChaos([CALM, 0, 0.9]);
  await send();
  await sender.close();
  expect(sent).toHaveLength(1);
});
