// `npm run lab -- pitr`: follows docs/guides/point-in-time.md with a real pgBackRest, loses every order, and goes back.
import { setTimeout as pause } from 'node:timers/promises';
import { startGame } from '@coinslot/testing/game-receiver';
import pg from 'pg';
import { readGuidePage } from '../guide-page.ts';
import { missing } from '../release/debian-packages.ts';
import { type GuidedDatabase, startGuidedDatabase } from './database.ts';
import { LabShop } from './shop.ts';

const ORDERS = 8;
const WRITES_MS = 60_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function ask<Row extends pg.QueryResultRow>({ url }: GuidedDatabase, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Every command of a section as it is written; those of the program run the one that was built. */
async function follow(database: GuidedDatabase, commands: string[], shop?: LabShop): Promise<void> {
  for (const command of commands) {
    print(`$ ${command}`);
    const [, name = '', rest = ''] = /^npm run (\w+)(?: -- (.*))?$/.exec(command) ?? [];
    const printed =
      name && shop ? await shop.run(name, ...rest.split(' ').filter(Boolean)) : await database.type(command);
    for (const line of printed.trim().split('\n').filter(Boolean)) print(`    ${line}`);
    if (command.endsWith('main start')) await untilWrites(database);
  }
}

/** The guide says to wait: the server answers readers while it still replays. */
async function untilWrites(database: GuidedDatabase): Promise<void> {
  const deadline = Date.now() + WRITES_MS;
  for (;;) {
    const rows = await ask<{ replays: boolean }>(database, 'select pg_is_in_recovery() as replays').catch(() => []);
    if (rows[0]?.replays === false) return;
    if (Date.now() > deadline) throw new Error('the restored database takes no writes');
    await pause(200);
  }
}

async function compare(database: GuidedDatabase, kept: string[], lost: string[]): Promise<string[]> {
  const rows = await ask<{ id: string; status: string }>(database, 'select id, status from orders');
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  return [
    ...kept.filter(id => statuses.get(id) !== 'paid').map(id => `${id} was paid before that second and is not there`),
    ...lost.filter(id => statuses.has(id)).map(id => `${id} was made after that second and is there`),
  ];
}

/** Orders before and after the backup, then others after the second to go back to. */
async function buyAround(database: GuidedDatabase, shop: LabShop, backUp: () => Promise<void>) {
  const kept = await shop.buyMany(ORDERS, 'before_backup');
  await backUp();
  kept.push(...(await shop.buyMany(ORDERS, 'after_backup')));
  await pause(1_000);
  const [row] = await ask<{ second: string }>(database, 'select clock_timestamp()::text as second');
  await pause(1_000);
  return { kept, second: row!.second, lost: await shop.buyMany(ORDERS, 'too_late') };
}

/** A standby that is gone for good keeps its slot, and the slot every segment since. */
async function findsSlot(database: GuidedDatabase, shop: LabShop): Promise<boolean> {
  await ask(database, `select pg_create_physical_replication_slot('forgotten', true)`);
  const says = await shop.run('doctor');
  await ask(database, `select pg_drop_replication_slot('forgotten')`);
  return says.includes('no standby reads "forgotten"');
}

async function play(database: GuidedDatabase): Promise<string[]> {
  const guide = readGuidePage('point-in-time.md');
  await follow(database, guide.commands('Archive'));
  const shop = await LabShop.open(database.url);
  const game = await startGame({ secret: shop.key });
  try {
    await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
    const backUp = (): Promise<void> => follow(database, guide.commands('Back up'));
    const { kept, second, lost } = await buyAround(database, shop, backUp);
    await shop.stop();
    await ask(database, 'truncate orders cascade');
    print(`every order is deleted; back to ${second}`);
    const commands = guide.commands('Go back').map(line => line.replace(/--target='[^']+'/, `--target='${second}'`));
    if (!commands.some(line => line.includes(second))) throw new Error('the guide names no second to go back to');
    await follow(database, commands, shop);
    const wrong = await compare(database, kept, lost);
    await shop.start();
    const next = await shop.buy('afterwards');
    print(
      `${kept.length} orders from before that second are there, ${lost.length} later ones are gone, and ${next} was paid since`,
    );
    if (!(await shop.run('doctor')).includes('WAL archiving: the last segment was archived'))
      wrong.push('doctor does not say that WAL is archived');
    if (!(await findsSlot(database, shop))) wrong.push('doctor does not find a replication slot that no standby reads');
    return wrong;
  } finally {
    await shop.stop();
    await game.close();
  }
}

const lacking = await missing({ probe: ['pgbackrest', 'version'], packages: ['pgbackrest', 'postgresql'] });
if (lacking) {
  print(`missing: ${lacking}`);
  process.exit(1);
}
const database = await startGuidedDatabase(readGuidePage('point-in-time.md'));
try {
  const wrong = await play(database);
  for (const line of wrong) print(`WRONG ${line}`);
  print(`${wrong.length} wrong`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
} finally {
  await database.close();
}
