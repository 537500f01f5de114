import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { connect, type Database } from '../db/connect.ts';
import { createDb, type Db } from '../db/db.ts';
import { findRunning, startEmbedded } from '../db/embedded/start-embedded.ts';
import { checkoutUrls } from '../domain/order/checkout-token.ts';
import { createLogger } from '../http/log.ts';
import { closePort } from '../http/stopping.ts';
import { systemClock } from '../kit/clock.ts';
import { createSeal } from '../kit/seal.ts';
import { createKeyring, KEYS_REFRESH_MS, placeOf } from '../program/master-key/keyring.ts';
import { masterKey, newMasterKey, replaceMasterKey } from '../program/master-key/master-key.ts';
import { isSupervisor, joinProcesses, superviseProcesses } from '../program/processes.ts';
import { announce, findRunningPrograms, secondDatabase } from '../program/running-programs.ts';
import { untilStopped } from '../program/until-stopped.ts';
import { type Config, givenSettings, loadConfig } from '../settings/config.ts';
import type { Tracing } from '../telemetry/tracing.ts';

// Each command loads what it needs itself: the whole program takes two seconds to load, most commands a part of it.

const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

/** From a clone by npm's scripts, from the published package by its own name. */
const isClone = existsSync(new URL('../../../../tools/prepare.mjs', import.meta.url));
const commandWord = (name: string): string => (isClone ? `npm run --silent ${name} --` : `npx coinslot-server ${name}`);

/**
 * On a machine with much memory V8 lets garbage pile up to as much again as is in use. Half of that costs no speed that
 * could be measured, and a studio may run this beside its game.
 */
const keepHeapModest = (): void => setFlagsFromString('--heap-growing-percent=50');

/** Progress goes beside the answer, so that `--json` prints one object and nothing else. */
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const print = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

const connectTo = (config: Config, migrate = config.operations.migrate): Promise<Database> =>
  connect({
    databaseUrl: config.databaseUrl,
    sessionUrl: config.operations.sessionUrl,
    dataDir: config.dataDir,
    migrate,
    log: say,
  });

async function withDb(config: Config, work: (db: Db, url: string) => Promise<number>): Promise<number> {
  const database = await connectTo(config);
  const url = config.operations.sessionUrl ?? database.url;
  const db = createDb({ url, maxConnections: 2, onError: error => say(error.message) });
  try {
    return await work(db, database.url);
  } finally {
    await db.close();
    await database.stop();
  }
}

/** Within it a proxy notices that the port is closed, and uses or forgets the connections that it kept open. */
const LINGER_MS = 1_000;

/** By hand, because Fastify would log a line for each address between ours. */
async function listen(app: FastifyInstance, port: number, host: string): Promise<void> {
  await app.ready();
  await new Promise<void>((resolve, reject) => {
    app.server.once('error', reject);
    app.server.listen(port, host, resolve);
  });
}

function welcome(config: Config): void {
  const given = givenSettings();
  print(`
  Coinslot ${VERSION} is running at ${config.publicUrl}

  Dashboard            ${config.publicUrl}/dashboard/
  Register by command  ${given}${commandWord('setup')} --email you@studio.example --password '…' --company 'Studio' \\
                         --game-url 'https://play.google.com/store/apps/details?id=com.studio.game'
  Documentation        ${config.publicUrl}/docs
  API description      ${config.publicUrl}/openapi.json
  Mails not sent yet   ${given}${isClone ? 'npm run mails' : commandWord('mails')}
  Stop                 Ctrl-C
`);
}

async function tracingOf({ otlpEndpoint, serviceName, logLevel }: Config): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const logger = createLogger(logLevel);
  const warn = (message: string): void => logger.warn({ source: 'tracing', message }, 'traces could not be sent');
  const { startTracing } = await import('../telemetry/tracing.ts');
  return startTracing({ endpoint: otlpEndpoint, serviceName, version: VERSION, warn });
}

export async function serveCommand(roles: { serve: boolean; work: boolean }): Promise<number> {
  keepHeapModest();
  const config = loadConfig();
  const key = await masterKey(config);
  const supervises = isSupervisor(config.operations.processes);
  // The program's code is read while the database starts: each takes as long as the other.
  const [database, code] = await Promise.all([connectTo(config), supervises ? null : import('../program/wire.ts')]);
  if (!code) return supervise(config, database, roles);
  const member = joinProcesses();
  const tracing = await tracingOf(config);
  const program = code.wire({
    config,
    databaseUrl: database.url,
    masterKey: key,
    version: VERSION,
    tracing,
    ...(member && { readMetrics: member.readMetrics }),
  });
  member?.share(program.parts.metrics.registry, program.parts.onError);
  const { publicUrl, dataDir } = config;
  const forget = await announce({ pid: process.pid, publicUrl, dataDir: database.embedded ? dataDir : null });
  try {
    await program.start();
    if (roles.work) program.workers.start();
    if (program.opsApp) await listen(program.opsApp, config.opsPort!, config.host);
    if (roles.serve) await listen(program.app, config.port, config.host);
    if (member) member.ready();
    else greet(config, roles);
    await untilStopped(member ? () => {} : say, config.stopDelaySeconds, member !== null);
    program.retire();
    await delay(config.stopDelaySeconds * 1000);
    if (config.stopDelaySeconds > 0) await closePort(program.app, LINGER_MS);
  } finally {
    await forget();
    await program.stop();
    await database.stop();
    member?.leave();
  }
  return 0;
}

function greet(config: Config, roles: { serve: boolean }): void {
  if (roles.serve) welcome(config);
  else print('Coinslot is working: deliveries, payments, mails. Stop with Ctrl-C.');
}

/** Holds the database, so that it is there before the first process and goes after the last. */
async function supervise(config: Config, database: Database, roles: { serve: boolean }): Promise<number> {
  const { processes: count } = config.operations;
  const onReady = (): void => {
    greet(config, roles);
    print(`  ${count} processes share the work.\n`);
  };
  try {
    return await superviseProcesses({ count, stopDelaySeconds: config.stopDelaySeconds, say, onReady });
  } finally {
    await database.stop();
  }
}

export async function migrateCommand(): Promise<number> {
  const database = await connectTo(loadConfig(), true);
  await database.stop();
  print('The database is up to date.');
  return 0;
}

export async function setupCommand(argv: string[]): Promise<number> {
  const config = loadConfig();
  const isNew = config.databaseUrl === undefined && !(await findRunning(config.dataDir).catch(() => undefined));
  const note = isNew ? secondDatabase(await findRunningPrograms(), config.dataDir) : null;
  if (note) say(note);
  const key = await masterKey(config);
  const seal = createSeal(key);
  const { runSetup } = await import('./setup-command.ts');
  return withDb(config, async (db, url) => {
    await createKeyring({ db, seal, masterKey: key, where: placeOf(url) }).load();
    return runSetup(argv, { db, seal, write: print, writeError: say, publicUrl: config.publicUrl });
  });
}

/** Without MASTER_KEY the key is a file of ours, and so is the next one. */
export async function keysCommand(argv: string[]): Promise<number> {
  const config = loadConfig();
  const key = await masterKey(config);
  const isFile = config.masterKey === undefined;
  const { runKeys } = await import('./keys-command.ts');
  return withDb(config, (db, url) =>
    runKeys(argv, {
      db,
      where: placeOf(url),
      masterKey: key,
      newKey: config.newMasterKey ?? (isFile ? newMasterKey() : undefined),
      keepKey: isFile ? next => replaceMasterKey(config.dataDir, next) : undefined,
      untilAllKnow: () => delay(3 * KEYS_REFRESH_MS),
      write: print,
      writeError: say,
    }),
  );
}

export async function gameCommand(argv: string[]): Promise<number> {
  const { runAppearance } = await import('./appearance-command.ts');
  return withDb(loadConfig(), db => runAppearance(argv, { db, write: print, writeError: say }));
}

/** A worker does it once a day; the command repeats it at any time. */
export async function reconcileCommand(argv: string[]): Promise<number> {
  const config = loadConfig();
  const key = await masterKey(config);
  const [{ wire }, { runReconcile }] = await Promise.all([
    import('../program/wire.ts'),
    import('./reconcile-command.ts'),
  ]);
  const database = await connectTo(config);
  const program = wire({ config, databaseUrl: database.url, masterKey: key, version: VERSION });
  try {
    await program.start();
    const { list: providers } = program.parts.live;
    const { purchasing } = program;
    return await runReconcile(argv, { purchasing, providers, write: print, writeError: say });
  } finally {
    await program.stop();
    await database.stop();
  }
}

const TRIAL_PAUSE_SECONDS = 3;

/** Proves what is assumed of a provider with its own test keys. */
export async function providerCommand(argv: string[]): Promise<number> {
  const config = loadConfig();
  const seal = createSeal(await masterKey(config));
  const [{ knownProviders }, { runProvider }] = await Promise.all([
    import('../program/known-providers.ts'),
    import('./provider-command.ts'),
  ]);
  return withDb(config, db =>
    runProvider(argv, {
      db,
      providers: knownProviders({
        config,
        version: VERSION,
        db,
        seal,
        watchGateway: gateway => gateway,
        onRefusal: () => {},
      }),
      nowMs: systemClock.nowMs,
      write: print,
      writeError: say,
      pause: () => delay(TRIAL_PAUSE_SECONDS * 1000),
      pauseSeconds: TRIAL_PAUSE_SECONDS,
    }),
  );
}

export async function playerCommand(argv: string[]): Promise<number> {
  const config = loadConfig();
  const seal = createSeal(await masterKey(config));
  const { archiveDir } = config.operations;
  const checkoutUrlOf = checkoutUrls(seal, config.publicUrl);
  const { runPlayer } = await import('./player-command.ts');
  return withDb(config, db => runPlayer(argv, { db, seal, archiveDir, checkoutUrlOf, write: print, writeError: say }));
}

/** Looks at everything an operator can get wrong, and changes nothing. The settings are checked by reading them. */
export async function doctorCommand(argv: string[]): Promise<number> {
  const config = loadConfig();
  const key = await masterKey(config);
  const own = config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log: say }) : undefined;
  const databaseUrl = own?.url ?? config.databaseUrl!;
  const [{ wire }, { runDoctor }] = await Promise.all([import('../program/wire.ts'), import('./doctor/run-doctor.ts')]);
  const program = wire({ config, databaseUrl, masterKey: key, version: VERSION });
  try {
    return await runDoctor(argv, { config, parts: program.parts, databaseUrl, version: VERSION, write: print });
  } finally {
    await program.stop();
    await own?.stop();
  }
}

const FOLD_PAUSE_MS = 500;

export async function figuresCommand(argv: string[]): Promise<number> {
  const pause = (): Promise<void> => delay(FOLD_PAUSE_MS);
  const { runFigures } = await import('./figures-command.ts');
  return withDb(loadConfig(), db => runFigures(argv, { db, pause, write: print, writeError: say }));
}

export async function mailsCommand(argv: string[]): Promise<number> {
  const config = loadConfig();
  const canSend = config.smtpUrl !== undefined;
  const checkoutUrlOf = checkoutUrls(createSeal(await masterKey(config)), config.publicUrl);
  const [{ remakeReceipt }, { runMails }] = await Promise.all([
    import('../domain/notification/send-receipt.ts'),
    import('./mails-command.ts'),
  ]);
  const words = { canSend, write: print, fail: say };
  return withDb(config, db => runMails(argv, { db, remake: remakeReceipt(db, checkoutUrlOf), ...words }));
}
