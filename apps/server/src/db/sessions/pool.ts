import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../../kit/app-error.ts';
import { types } from '../driver/value-types.ts';
import { isBusyPool, isReadOnly, isSilent } from './database-errors.ts';
import { createHosts, type Hosts } from './hosts.ts';
import { forTransactionPooler, prepareSession, type SessionLimits } from './session.ts';
import type { Trust } from './trust.ts';
import { watchReplication } from './unreplicated.ts';
import { type SessionFigures, watchSessions } from './watch-sessions.ts';

const KEEPALIVE_MS = 10_000;
/** A connection that fell silent is not waited for longer at the end. */
const CLOSE_MS = 1_000;
const LOOK_MS = 5;
/** With several hosts one that is gone must leave time for the others. */
const CONNECT_ONE_OF_MANY_MS = 2_000;

export interface PoolOptions {
  url: string;
  maxConnections: number;
  limits: SessionLimits;
  fixedPlans: boolean;
  waitForConnectionMs: number;
  /** Behind a pooler that hands sessions out by transaction. */
  byTransaction: boolean;
  /** A replica: its sessions never take writes, and that is no sign of a failover. */
  readOnly: boolean;
  onError: (error: Error) => void;
  /** Of all pools on this database: what one learns of its connections holds for those of the others. */
  trust: Trust;
}

export interface PoolUsage extends SessionFigures {
  open: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** As many as the pool may open. */
  max: number;
}

export interface Pool {
  connect(): Promise<pg.PoolClient>;
  /** Hears of every failed statement: after some of them no connection that is open now can be trusted. */
  judge(error: unknown): void;
  usage(): PoolUsage;
  /** Whether a caller that comes now is given a connection, or one is opened for it. Asked before every statement. */
  hasFree(): boolean;
  end(): Promise<void>;
}

const busy = (): AppError =>
  new AppError('unavailable', { detail: 'All database connections are in use. Try again shortly.' });

/** On the client itself, because the driver's type of `query` is a long list of shapes. */
function fitToPooler(client: pg.Client, options: Pick<PoolOptions, 'limits' | 'fixedPlans'>): void {
  const send = client.query.bind(client);
  Object.assign(client, {
    query: (sent: unknown, ...rest: unknown[]): unknown =>
      Reflect.apply(send, client, [forTransactionPooler(sent, options), ...rest]),
  });
}

/**
 * The driver's pool says that it has ended before its connections have. A database that is stopped in that moment cuts them, and each
 * would be reported as an error.
 */
function watchClosing(pool: pg.Pool): () => Promise<void> {
  const open = new Set<pg.PoolClient>();
  pool.on('connect', client => void open.add(client));
  pool.on('remove', client => void open.delete(client));
  return async () => {
    for (let waited = 0; open.size > 0 && waited < CLOSE_MS; waited += LOOK_MS) await pause(LOOK_MS);
  };
}

/** Tries each host once, and gives out no connection that another's failure has put in doubt. */
async function connectTrusted(
  pool: pg.Pool,
  hosts: Hosts,
  trust: Trust,
  sessions: ReturnType<typeof watchSessions>,
): Promise<pg.PoolClient> {
  for (let failures = 0; ; ) {
    const host = hosts.current();
    try {
      const client = await pool.connect();
      if (trust.isTrusted(client)) return client;
      client.release(true);
    } catch (error) {
      if (isBusyPool(error)) throw busy();
      sessions.refused();
      hosts.skip(host);
      failures += 1;
      if (failures >= hosts.count) throw error;
    }
  }
}

const usageOf = ({ totalCount, idleCount, waitingCount }: pg.Pool) => ({
  open: totalCount,
  idle: idleCount,
  waiting: waitingCount,
});

export function createPool(given: PoolOptions): Pool {
  const { url, maxConnections, limits, fixedPlans, waitForConnectionMs, byTransaction, readOnly, onError, trust } =
    given;
  const hosts = createHosts(url);
  const sessions = watchSessions();

  class HostClient extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: hosts.current() });
      trust.opened(this);
      watchReplication(this);
      sessions.opened(this);
      if (byTransaction) fitToPooler(this, { limits, fixedPlans });
    }
  }

  async function prepareClient(client: pg.ClientBase): Promise<void> {
    const { mustBeWritable } = hosts;
    const takesWrites = await prepareSession(client, { limits, fixedPlans, mustBeWritable, byTransaction });
    if (!takesWrites && !readOnly) trust.openedReadOnly(client);
    sessions.prepared(client);
  }

  // The pool waits for what it returns before it hands the connection out, although its type does not say so.
  const prepare = (client: pg.ClientBase): unknown => prepareClient(client);

  const pool = new pg.Pool({
    Client: HostClient as unknown as new () => pg.ClientBase,
    max: maxConnections,
    types,
    pipeline: true,
    connectionTimeoutMillis: hosts.count > 1 ? CONNECT_ONE_OF_MANY_MS : waitForConnectionMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    query_timeout: limits.answerMs,
    application_name: 'coinslot',
    onConnect: prepare,
  });
  const allClosed = watchClosing(pool);
  // The pool forgets a connection that is cut, and its caller hears that it was.
  pool.on('connect', client => trust.cutWhenDistrusted(client, () => client.connection.stream.destroy()));
  pool.on('remove', trust.closed);
  pool.on('error', onError);
  sessions.follow(pool);
  // A connection that is handed from one caller to the next has no listener for a moment. If the word that it was cut
  // comes in the same packet as the last answer, it comes in that moment, and unheard it would end the program.
  pool.on('connect', client => client.on('error', () => {}));

  return {
    connect: () => connectTrusted(pool, hosts, trust, sessions),
    judge(error) {
      if (isReadOnly(error)) trust.distrustAll();
      else if (isSilent(error)) trust.distrustSilent();
    },
    hasFree: () => maxConnections - pool.totalCount + pool.idleCount > pool.waitingCount,
    usage: () => ({ ...usageOf(pool), max: maxConnections, ...sessions.figures() }),
    async end() {
      await pool.end();
      await allClosed();
    },
  };
}
