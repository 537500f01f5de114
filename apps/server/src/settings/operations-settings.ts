import { availableParallelism } from 'node:os';
import { databaseUrl } from './setting-parsers.ts';

/** Settings of those who run the program for years. */
export const OPERATIONS_SETTINGS = [
  {
    name: 'RETENTION_DELIVERIES_DAYS',
    default: '90',
    meaning:
      'How long attempts, bodies and what observers got are kept; by whole months, removed as soon as the last day of one is older. 0 keeps them for ever. Orders, payments, item deliveries, the ledger and the audit log are always kept.',
    example: '90',
  },
  {
    name: 'RETENTION_EVENTS_DAYS',
    default: '90',
    meaning: 'How long events are kept for lists, timelines and replays, by whole months; 0 for ever.',
    example: '90',
  },
  {
    name: 'RETENTION_MAILS_DAYS',
    default: '30',
    meaning: 'How long mails are kept after they were written; 0 for ever.',
    example: '30',
  },
  {
    name: 'RETENTION_COUNTERS_DAYS',
    default: '730',
    meaning: 'How long the daily counters of the payment page are kept; 0 for ever.',
    example: '730',
  },
  {
    name: 'ARCHIVE_DIR',
    default: 'none: what is no longer kept is gone',
    meaning: 'Folder that gets what is removed, as compressed JSON lines, before it goes.',
    example: '/var/lib/coinslot/archive',
  },
  {
    name: 'MIGRATE',
    default: 'on',
    meaning:
      '`off`: a start changes no schema and stops when it does not fit. Migrations are then a step of their own, `npm run migrate`, before the rolling restart.',
    example: 'off',
  },
  {
    name: 'PROCESSES',
    default: '1',
    meaning:
      'How many processes `npm start` runs, on one port; `auto` is one for each core. One that dies is replaced, SIGHUP replaces all of them one after the other.',
    example: 'auto',
  },
  {
    name: 'DATABASE_CONNECTIONS',
    default: '39 for each process; with the embedded PostgreSQL at most 90',
    meaning:
      'Connections to the database at most, over all processes of this command, at least 8 for each. They are shared out to requests, money, providers and reports by a fixed rule.',
    example: '60',
  },
  {
    name: 'DATABASE_SESSION_URL',
    default: 'none: DATABASE_URL gives whole sessions',
    meaning:
      'Set it when DATABASE_URL leads to a pooler in transaction mode: the way past it, for what needs a session of its own (notifications, migrations, backups). Settings then go with each transaction, and no statement is prepared.',
    example: 'postgresql://coinslot:password@db.example.com:5432/coinslot',
  },
  {
    name: 'DATABASE_READ_URL',
    default: 'none: everything is read from DATABASE_URL',
    meaning:
      "A streaming replica for the dashboard's lists, figures and exports. They may lack what was written within the last 10 s; while it is away or further behind, they are read from DATABASE_URL. Nothing that money depends on is read from it. It is given as many connections as reports have, beside DATABASE_CONNECTIONS.",
    example: 'postgresql://coinslot:password@replica.example.com:5432/coinslot',
  },
] as const satisfies readonly { name: string; default: string; meaning: string; example: string }[];

export interface OperationsConfig {
  /** Given: `databaseUrl` leads to a pooler in transaction mode. */
  sessionUrl: string | undefined;
  /** A replica for lists and reports. */
  readUrl: string | undefined;
  processes: number;
  /** For this process alone. */
  databaseConnections: number;
  /** In days; 0 is for ever. */
  retentionDays: { deliveries: number; events: number; mails: number; counters: number };
  archiveDir: string | undefined;
  /** Whether a start may change the schema. */
  migrate: boolean;
}

type Name = (typeof OPERATIONS_SETTINGS)[number]['name'];

/** A day is the least, so that nothing goes while it is still being worked on. */
const MOST_DAYS = 36_500;

const USUAL_CONNECTIONS = 39;
const LEAST_CONNECTIONS = 8;
/** The embedded PostgreSQL takes 100, and commands beside the program need some. */
const EMBEDDED_CONNECTIONS = 90;
const MOST_PROCESSES = 64;

function processCount(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_PROCESSES);
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MOST_PROCESSES)
    throw new Error(`must be auto or a whole number from 1 to ${MOST_PROCESSES}`);
  return count;
}

function readConnections(
  read: <T>(name: Name, parse: (text: string) => T) => T | undefined,
  wholeNumber: (min: number, max: number) => (text: string) => number,
  processes: number,
  isEmbedded: boolean,
): number {
  const usual = USUAL_CONNECTIONS * processes;
  const standard = isEmbedded ? Math.min(usual, EMBEDDED_CONNECTIONS) : usual;
  const total = read('DATABASE_CONNECTIONS', wholeNumber(LEAST_CONNECTIONS * processes, 10_000)) ?? standard;
  return Math.max(LEAST_CONNECTIONS, Math.floor(total / processes));
}

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error('must be on or off');
  return text === 'on';
}

export function readOperations(
  read: <T>(name: Name, parse: (text: string) => T) => T | undefined,
  wholeNumber: (min: number, max: number) => (text: string) => number,
  isEmbedded: boolean,
): OperationsConfig {
  const processes = read('PROCESSES', processCount) ?? 1;
  const days = (name: Name, standard: number): number => read(name, wholeNumber(0, MOST_DAYS)) ?? standard;
  return {
    sessionUrl: read('DATABASE_SESSION_URL', databaseUrl),
    readUrl: read('DATABASE_READ_URL', databaseUrl),
    processes,
    databaseConnections: readConnections(read, wholeNumber, processes, isEmbedded),
    retentionDays: {
      deliveries: days('RETENTION_DELIVERIES_DAYS', 90),
      events: days('RETENTION_EVENTS_DAYS', 90),
      mails: days('RETENTION_MAILS_DAYS', 30),
      counters: days('RETENTION_COUNTERS_DAYS', 730),
    },
    archiveDir: read('ARCHIVE_DIR', String),
    migrate: read('MIGRATE', onOrOff) ?? true,
  };
}
