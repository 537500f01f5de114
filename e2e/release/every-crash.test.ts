/** The whole of what `npm test` strikes at here and there, with one program (e2e/nothing-is-lost/crash-one-program). */
import { afterEach, test } from 'vitest';
import { crashAll, LONGEST_MS } from '../nothing-is-lost/crash.ts';
import { openShop, type Shop } from '../nothing-is-lost/shop.ts';

let shop: Shop | undefined;

afterEach(() => shop?.close());

test(
  'one program, killed at random, at both sides of every call and between every two commits, loses nothing',
  async () => {
    shop = await openShop();
    await crashAll(shop, { programs: 1, seed: 20_260_501, strikes: 'every' });
  },
  LONGEST_MS,
);

test(
  'two programs on one database, killed at random and at both sides of every call, lose nothing',
  async () => {
    shop = await openShop();
    await crashAll(shop, { programs: 2, seed: 20_260_502, strikes: 'every' });
  },
  LONGEST_MS,
);
