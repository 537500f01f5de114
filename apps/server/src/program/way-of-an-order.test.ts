import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { expect, it } from 'vitest';

const MOST = { files: 50, jumps: 70 };

/** What runs beside the way and is no part of it. */
const BESIDE: { path: RegExp; because: string }[] = [
  { path: /\/keys\/request-log|^doors\/s2s\/requests/, because: 'the log of a key’s calls' },
  { path: /\/keys\/[\w-]+\.sql|\/environment\.sql|\/find-environment/, because: 'read once in some seconds' },
  { path: /\/public-address|\/sending\/target|\/receiver-slots/, because: 'asked when a connection is opened' },
  { path: /\/page-events|\/health\/watch-endpoints/, because: 'what is counted on the way' },
  { path: /\/chaos\/|\/chaotic-sender|\/tunnel\//, because: 'tools of the sandbox that pass a call on' },
  { path: /\/providers\/base\/gateway\.ts$/, because: 'telemetry around each call' },
  { path: /\/engine\/release-lost/, because: 'for a database that went away' },
  { path: /\/providers\/simulator\/(?!simulator\.ts)/, because: 'the inside of the simulator' },
  { path: /\/checkout\/(?:form-problem|kept-fields|order-frame|pack-page)/, because: 'how a page is drawn' },
  { path: /\/checkout\/(?:page|purchase)-view|\/seller\.ts$|\/render-receipt/, because: 'how a page is drawn' },
  { path: /\/payment-row\.ts$/, because: 'the description of a table, which has no function' },
  { path: /^doors\/ops\//, because: 'runs by its own clock' },
];

const isOnTheWay = (path: string): boolean => !BESIDE.some(beside => beside.path.test(path));

/** Creates an order as a game does, and pays it as a player does who then looks at the page again. */
async function buy({ createOrder, pay, database }: TestProgram): Promise<void> {
  const { order_id, checkout_url } = await createOrder();
  await fetch(checkout_url);
  await pay(checkout_url);
  const text = 'select status from orders where id = $1';
  await expect.poll(() => database.db.queryValue({ name: '', text, values: [order_id] })).toBe('paid');
  await (await fetch(checkout_url)).text();
}

/** The files of `doors` and `domain` in which a function is called while the work goes on. */
async function filesCalled(work: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const called = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0));
  return called.flatMap(({ url }) => /\/apps\/server\/src\/((?:doors|domain)\/.*)$/.exec(url)?.[1] ?? []);
}

/** Which of these files calls an exported function of which other. */
async function jumpsBetween(files: string[], work: () => Promise<void>): Promise<Set<string>> {
  const jumps = new Set<string>();
  const restore: (() => void)[] = [];
  for (const file of files) {
    const module: Record<string, unknown> = await import(new URL(`../${file}`, import.meta.url).pathname);
    for (const [name, exported] of Object.entries(module)) {
      if (typeof exported !== 'function' || /^class\b/.test(String(exported))) continue;
      const before = Object.getOwnPropertyDescriptor(module, name)!;
      const noted = (...args: unknown[]): unknown => {
        const [, , by = ''] = new Error('where').stack!.split('\n');
        const caller = /\/apps\/server\/src\/([^:?]+)/.exec(by)?.[1];
        if (caller !== undefined && caller !== file) jumps.add(`${caller} → ${file}`);
        return exported(...args);
      };
      Object.defineProperty(module, name, { value: noted, enumerable: true, configurable: true });
      restore.push(() => Object.defineProperty(module, name, before));
    }
  }
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return jumps;
}

it('an order takes the way that ARCHITECTURE.md walks, file by file', async ({ onTestFinished }) => {
  const [shop, game] = await Promise.all([startProgram({ workers: false }), startGame()]);
  onTestFinished(async () => {
    await shop.close();
    await game.close();
  });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  await buy(shop);
  const files = (await filesCalled(() => buy(shop))).filter(isOnTheWay);
  const jumps = await jumpsBetween(files, () => buy(shop));
  const map = readFileSync(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const [, described, filesSaid, jumpsSaid] =
    /^## The way of an order$(.*?)^These are (\d+) files, with (\d+) jumps/ms.exec(map)!;
  const named = new Set([...described!.matchAll(/`([\w-]+(?:\.sql)?\.ts)`/g)].map(([, name]) => name!));
  expect(files.map(path => path.split('/').at(-1)!).toSorted()).toEqual([...named].toSorted());
  const counted = { files: files.length, jumps: [...jumps].filter(one => one.split(' → ').every(isOnTheWay)).length };
  expect(counted).toEqual({ files: Number(filesSaid), jumps: Number(jumpsSaid) });
  expect(counted.files).toBeLessThanOrEqual(MOST.files);
  expect(counted.jumps).toBeLessThanOrEqual(MOST.jumps);
});
