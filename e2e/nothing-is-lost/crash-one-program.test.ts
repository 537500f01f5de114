import { afterEach, test } from 'vitest';
import { crashAll, LONGEST_MS } from './crash.ts';
import { openShop, type Shop } from './shop.ts';

let shop: Shop | undefined;

afterEach(() => shop?.close());

test(
  'one program, killed at random, at some calls and between some commits, loses nothing',
  async () => {
    shop = await openShop();
    await crashAll(shop, { programs: 1, seed: 20_260_501, strikes: 'some' });
  },
  LONGEST_MS,
);
