import { afterEach, test } from 'vitest';
import { crashAll, LONGEST_MS } from './crash.ts';
import { openShop, type Shop } from './shop.ts';

let shop: Shop | undefined;

afterEach(() => shop?.close());

test(
  'two programs on one database, killed at random and at every call, lose nothing',
  async () => {
    shop = await openShop();
    await crashAll(shop, 2, 20_260_502);
  },
  LONGEST_MS,
);
