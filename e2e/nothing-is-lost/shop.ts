import { setTimeout as pause } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { createSeal } from '../../apps/server/src/kit/seal.ts';
import { Fleet } from './fleet.ts';
import { type HonestGame, startHonestGame } from './honest-game.ts';
import { listUnsettled } from './oracle.ts';
import { buildProgramForPlayers } from './program-process.ts';

export interface Shop {
  database: TestDatabase;
  fleet: Fleet;
  game: HonestGame;
  key: string;
  /** Registers the game's endpoint and an observer; a program must be up. */
  register(): Promise<void>;
  /** Moves time on, step by step, until no row waits for a worker. Answers with what still does. */
  settle(): Promise<string[]>;
  close(): Promise<void>;
}

/** Every lease and every date that a dead process left behind is over by then. */
export const PAST_ALL_LEASES_SECONDS = 60;
const ROUNDS = 120;
const GREATEST_STEP = 40;
const QUIET_MS = 150;
const ROUND_MS = 1_500;

async function waitUntilSettled(database: TestDatabase, forMs: number): Promise<string[]> {
  const deadline = Date.now() + forMs;
  for (;;) {
    const left = await listUnsettled(database.db);
    if (left.length === 0 || Date.now() > deadline) return left;
    await pause(QUIET_MS);
  }
}

async function settle(database: TestDatabase): Promise<string[]> {
  let left = await waitUntilSettled(database, ROUND_MS);
  // Ever greater steps: first the leases, then the player who walked away from the bank's page, then the late retries.
  for (let round = 1; round <= ROUNDS && left.length > 0; round++) {
    await database.advance(PAST_ALL_LEASES_SECONDS * Math.min(round, GREATEST_STEP));
    left = await waitUntilSettled(database, ROUND_MS);
  }
  return left;
}

export async function openShop(): Promise<Shop> {
  const [program, database, game] = await Promise.all([buildProgramForPlayers(), testDatabase(), startHonestGame()]);
  const account = await registerTestAccount(database.db, createSeal(MASTER_KEY));
  const fleet = new Fleet(program, database.url);
  const key = account.sandbox.s2sKey;
  return {
    database,
    fleet,
    game,
    key,
    async register() {
      const subscriptions = [
        { url: game.url, events: ['item.add', 'item.remove'] },
        { url: game.observerUrl, events: ['order.*'] },
      ];
      for (const subscription of subscriptions) {
        const response = await fetch(`${await fleet.url()}/s2s/v1/webhooks`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(subscription),
        });
        if (response.status !== 201) throw new Error(`not registered: ${await response.text()}`);
      }
    },
    settle: () => settle(database),
    async close() {
      await fleet.close();
      await game.close();
      await database.drop();
    },
  };
}
