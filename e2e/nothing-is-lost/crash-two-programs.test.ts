import { afterEach, test } from 'vitest';
import { crashAll, LONGEST_MS } from './crash.ts';
import { openShop, type Shop } from './shop.ts';

let shop: Shop | undefined;

afterEach(() => shop?.close());

test(
  'two programs on one database, killed at random and at the other side of every call, lose nothing',
  async () => {
    shop = await openShop();
    await crashAll(shop, { programs: 2, seed: 20_260_502, strikes: 'second half' });
  },
  LONGEST_MS,
);
