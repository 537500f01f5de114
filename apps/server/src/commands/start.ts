import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Database } from '../db/connect.ts';
import { createDb } from '../db/db.ts';
import { findFirstCompany } from '../domain/company/company.sql.ts';
import { setupCode } from '../domain/game/setup-code.ts';
import { createLogger } from '../http/log.ts';
import { closePort, listen } from '../http/port.ts';
import { createSeal } from '../kit/seal.ts';
import { joinProcesses } from '../program/join-processes.ts';
import { masterKey } from '../program/master-key/master-key.ts';
import type { ProgramOptions } from '../program/parts.ts';
import { announce } from '../program/running-programs.ts';
import { isSupervisor, superviseProcesses } from '../program/supervise-processes.ts';
import { untilStopped } from '../program/until-stopped.ts';
import { type Config, givenSettings, loadConfig } from '../settings/config.ts';
import { CONSOLE, commandLine, defineCommand, isClone, type ServerCommand } from './command.ts';
import { connectTo, VERSION } from './open.ts';

/**
 * On a machine with much memory V8 lets garbage grow to the size of the memory in use. Half of that costs no measurable
 * speed, and a studio may run the program beside its game.
 */
const keepHeapModest = (): void => setFlagsFromString('--heap-growing-percent=50');

/** In this time a proxy notices the closed port, and uses or drops the connections that it kept open. */
const LINGER_MS = 1_000;

function welcome(config: Config): void {
  const given = givenSettings();
  CONSOLE.write(`
  Coinslot ${VERSION} is running at ${config.publicUrl}

  Dashboard            ${config.publicUrl}/dashboard/
  Register by command  ${given}${commandLine('setup', '--silent ')} --email you@studio.example --password '…' --company 'Studio' \\
                         --game-url 'https://play.google.com/store/apps/details?id=com.studio.game'
  Documentation        ${config.publicUrl}/docs
  API description      ${config.publicUrl}/openapi.json
  Mails not sent yet   ${given}${isClone ? 'npm run mails' : commandLine('mails')}
  Stop                 Ctrl-C
`);
}

/** Each kind of telemetry is loaded only when it is sent. */
async function exportsOf({ otlpEndpoint, otlpSignals, serviceName, logLevel }: Config): Promise<Exports> {
  if (otlpEndpoint === undefined) return {};
  const { traces, metrics, logs, metricsEveryMs: everyMs } = otlpSignals;
  // A logger of its own: the program's logger sends its lines too, and a failure to send must not be sent itself.
  const logger = createLogger(logLevel);
  const warn = (message: string): void => logger.warn({ source: 'telemetry', message }, 'telemetry could not be sent');
  const options = { endpoint: otlpEndpoint, serviceName, version: VERSION, warn };
  return {
    tracing: traces === 'otlp' ? await (await import('../telemetry/tracing.ts')).startTracing(options) : undefined,
    logExport:
      logs === 'otlp' ? await (await import('../telemetry/export-logs.ts')).startLogExport(options) : undefined,
    metricExport:
      metrics === 'otlp'
        ? await (await import('../telemetry/export-metrics.ts')).startMetricExport({ ...options, everyMs })
        : undefined,
  };
}

type Exports = Pick<ProgramOptions, 'tracing' | 'logExport' | 'metricExport'>;

interface Roles {
  serve: boolean;
  work: boolean;
}

async function start(roles: Roles): Promise<number> {
  keepHeapModest();
  const config = loadConfig();
  const key = await masterKey(config);
  const supervises = isSupervisor(config.operations.processes);
  // The program's code loads while the database starts, because both take about as long.
  const [database, code] = await Promise.all([connectTo(config), supervises ? null : import('../program/wire.ts')]);
  if (!code) return supervise(config, database, roles, key);
  const member = joinProcesses();
  const exports = await exportsOf(config);
  const program = code.wire({
    config,
    databaseUrl: database.url,
    masterKey: key,
    version: VERSION,
    ...exports,
    ...(member && { readMetrics: member.readMetrics }),
  });
  member?.share(program.parts.metrics.registry, program.parts.onError);
  const { publicUrl, dataDir } = config;
  const forget = await announce({ pid: process.pid, publicUrl, dataDir: database.embedded ? dataDir : null });
  try {
    await program.start();
    if (roles.work) program.workers.start();
    if (program.opsApp) await listen(program.opsApp, 'OPS_PORT', config.opsPort!, config.opsHost);
    if (roles.serve) await listen(program.app, 'PORT', config.port, config.host);
    if (member) member.ready();
    else await greet(config, roles, { databaseUrl: database.url, masterKey: key });
    await untilStopped(member ? () => {} : CONSOLE.writeError, config.stopDelaySeconds, member !== null);
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

interface Installation {
  databaseUrl: string;
  masterKey: Buffer;
}

/** Null once there is a company, and where strangers may register anyway. */
async function setupCodeOf({ registration }: Config, { databaseUrl: url, masterKey: key }: Installation) {
  if (registration !== 'first') return null;
  const db = createDb({ url, maxConnections: 1, onError: error => CONSOLE.writeError(error.message) });
  try {
    return (await findFirstCompany(db)) === null ? setupCode(createSeal(key)) : null;
  } finally {
    await db.close();
  }
}

async function greet(config: Config, roles: Roles, installation: Installation): Promise<void> {
  const code = roles.serve ? await setupCodeOf(config, installation) : null;
  if (roles.serve) welcome(config);
  if (code) CONSOLE.write(`  Set-up code          ${code}, for the first company in the dashboard\n`);
  if (!roles.serve) CONSOLE.write('Coinslot is working: deliveries, payments, mails. Stop with Ctrl-C.');
}

/** Keeps the database running from before the first process until after the last. */
async function supervise(config: Config, database: Database, roles: Roles, key: Buffer): Promise<number> {
  const { processes: count } = config.operations;
  const onReady = (): void => {
    const greeted = greet(config, roles, { databaseUrl: database.url, masterKey: key });
    void greeted.then(() => CONSOLE.write(`  ${count} processes share the work.\n`));
  };
  try {
    return await superviseProcesses({
      count,
      stopDelaySeconds: config.stopDelaySeconds,
      say: CONSOLE.writeError,
      onReady,
    });
  } finally {
    await database.stop();
  }
}

const roleCommand = (name: string, summary: string, roles: Roles): ServerCommand<object> =>
  defineCommand<object>({ name, summary, open: work => work({}), run: () => start(roles) });

export const startCommand = roleCommand('start', 'Answers requests and works on the queues.', {
  serve: true,
  work: true,
});
export const serveCommand = roleCommand('serve', 'Answers requests only.', { serve: true, work: false });
export const workCommand = roleCommand('work', 'Works on the queues only: deliveries, payments, mails.', {
  serve: false,
  work: true,
});
