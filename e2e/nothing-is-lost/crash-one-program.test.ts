import { afterEach, test } from 'vitest';
import { crashAll, LONGEST_MS } from './crash.ts';
import { openShop, type Shop } from './shop.ts';

let shop: Shop | undefined;

afterEach(() => shop?.close());

test(
  'one program, killed at random, at every call and between every two commits, loses nothing',
  async () => {
    shop = await openShop();
    await crashAll(shop, 1, 20_260_501);
  },
  LONGEST_MS,
);
