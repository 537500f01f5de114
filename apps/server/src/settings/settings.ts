import { resolve } from 'node:path';
import {
  baseUrl,
  certificateWithKey,
  connectionCount,
  databaseUrl,
  folder,
  host,
  hosts,
  key,
  networks,
  oneOf,
  onOrOff,
  origin,
  processCount,
  sender,
  smtpUrl,
  usualConnections,
  wholeNumber,
} from './parsers.ts';
import { PROVIDER_SETTINGS } from './provider-settings.ts';
import { inProduction, mustBeHttps, setting } from './setting.ts';

const PER_MINUTE = wholeNumber(0, 1_000_000_000);
const TCP_PORT = wholeNumber(0, 65_535);
const ATTEMPTS = wholeNumber(1, 1_000_000);
const DAYS = wholeNumber(0, 36_500);

/** Every setting, in the shape of the program's `Config` and in the order of docs/reference/configuration.md. */
export const TABLE = {
  port: setting('PORT', TCP_PORT, 4242, { meaning: 'TCP port to listen on; 0 takes any free one.' }),
  host: setting('HOST', host, '0.0.0.0', {
    meaning:
      'Address to listen on. The default is every IPv4 address, so that a phone in the same network can open a checkout; 127.0.0.1 keeps it to this machine.',
    example: '127.0.0.1',
  }),
  publicUrl: setting('PUBLIC_URL', origin, ({ port }) => `http://localhost:${port}`, {
    default: 'http://localhost:PORT',
    meaning:
      'Where players and game backends reach the service; checkout URLs begin with it. Production requires https.',
    example: 'https://pay.example.com',
    refusedInProduction: mustBeHttps,
  }),
  dataDir: setting('DATA_DIR', folder, () => resolve('data'), {
    default: 'data',
    meaning: 'Folder for the embedded PostgreSQL and the generated master key; relative to the current folder.',
    example: '/var/lib/coinslot/data',
  }),
  databaseUrl: setting('DATABASE_URL', databaseUrl, undefined, {
    default: 'the embedded PostgreSQL in DATA_DIR',
    meaning:
      'A PostgreSQL server, version 15 or newer, to use instead of the embedded one. Several hosts, `host1:5432,host2:5432`, are tried one after the other; with `?target_session_attrs=read-write` only one that takes writes will do. With `sslmode=require` or stricter the connection is encrypted and the certificate is checked with its name, against `sslrootcert` where it is given; `sslcert` and `sslkey` name the certificate with which the program proves itself in place of a password.',
    example: 'postgresql://coinslot:password@db.example.com:5432/coinslot',
    isSecret: true,
  }),
  masterKey: setting('MASTER_KEY', key, undefined, {
    default: 'made once and kept in DATA_DIR/master.key (not in production)',
    meaning:
      'Encrypts S2S keys and webhook secrets in the database: 32 bytes in base64, as `openssl rand -base64 32` prints. Production requires it. Without it those secrets cannot be read again: keep a copy.',
    example: '(the output of: openssl rand -base64 32)',
    isSecret: true,
    refusedInProduction: value => !value && 'is required in production',
  }),
  newMasterKey: setting('NEW_MASTER_KEY', key, undefined, {
    meaning: 'The key that follows MASTER_KEY: only for the command `keys rotate`, which seals everything under it.',
    example: '(the output of: openssl rand -base64 32)',
    isSecret: true,
  }),
  smtpUrl: setting('SMTP_URL', smtpUrl, undefined, {
    default: 'none: mails are kept, `npm run mails` shows them',
    meaning: 'Mail server for receipts and notices; smtps:// for TLS from the first byte, smtp:// for STARTTLS.',
    example: 'smtps://user:password@mail.example.com:465',
    isSecret: true,
  }),
  smtpAllowPlain: setting('SMTP_ALLOW_PLAIN', onOrOff, false, {
    meaning:
      '`on` lets mails without a password go to a server on another machine without TLS. By default such a server must offer STARTTLS.',
    example: 'on',
  }),
  smtpClientPem: setting('SMTP_CLIENT_PEM', certificateWithKey, undefined, {
    default: 'none: the password in SMTP_URL, or none',
    meaning:
      'Certificate and private key, as PEM one behind the other, with which the program proves itself to the mail server in place of a password. TLS is then required. Best as a file: SMTP_CLIENT_PEM_FILE.',
    example: '(the output of: cat client.crt client.key)',
    isSecret: true,
  }),
  mailFrom: setting('MAIL_FROM', sender, ({ publicUrl }) => `Coinslot <no-reply@${new URL(publicUrl).hostname}>`, {
    default: 'Coinslot <no-reply@host of PUBLIC_URL>',
    meaning: 'Sender of those mails.',
    example: 'Example Games <receipts@example.com>',
  }),
  /** `first` allows registration until a company exists. */
  registration: setting('REGISTRATION', oneOf(['open', 'closed']), inProduction('first', 'open'), {
    default: 'open; in production closed once a first company exists, which needs the code printed at the start',
    meaning:
      '`open` lets strangers register a company in the dashboard, `closed` does not. The command `setup` and invitations always work.',
    example: 'open',
  }),
  requireSecondFactor: setting('REQUIRE_SECOND_FACTOR', onOrOff, false, {
    meaning:
      '`on` asks every member of every company for a passkey or an authenticator app; until they have one, they see only how to add it. Each company can ask for it by itself too. Who signs in at a company’s identity provider is asked for a second factor there.',
    example: 'on',
  }),
  rateLimitPerMinute: setting('RATE_LIMIT_PER_MINUTE', PER_MINUTE, 1000, {
    meaning: 'Requests each S2S key may make in a minute; 0 switches the limit off.',
  }),
  addressLimitPerMinute: setting('ADDRESS_LIMIT_PER_MINUTE', PER_MINUTE, inProduction(6000, 0), {
    default: '6000 in production, else 0',
    meaning:
      'Requests without an S2S key that one network address may make in a minute: payment pages, sign-in, callbacks, documents. Each 4 KiB of a body counts as one more. 0 switches the limit off. Behind a proxy set TRUST_PROXY too, or all callers share the proxy’s address.',
    example: '6000',
  }),
  attemptLimits: {
    ofOrder: setting('ATTEMPTS_PER_ORDER', ATTEMPTS, 10, {
      meaning: 'Payments of one order that may be declined within an hour; then the page says when to try again.',
    }),
    ofPlayer: setting('ATTEMPTS_PER_PLAYER', ATTEMPTS, 20, {
      meaning: 'The same for one player of a live game.',
    }),
    ofNetwork: setting('ATTEMPTS_PER_ADDRESS', ATTEMPTS, 30, {
      meaning: 'The same for one network address in a live game. Behind a proxy set TRUST_PROXY too.',
    }),
  },
  budgets: {
    requestsPerMinute: setting('BUDGET_REQUESTS_PER_MINUTE', PER_MINUTE, inProduction(10_000, 0), {
      default: '10000 in production, else 0',
      meaning:
        'Requests of one company in a minute, by all its keys and members together; 0 switches the limit off. Payment pages do not count.',
      example: '10000',
    }),
    providerCallsPerHour: setting('BUDGET_PROVIDER_CALLS_PER_HOUR', PER_MINUTE, inProduction(60_000, 0), {
      default: '60000 in production, else 0',
      meaning:
        'Calls to payment providers for one company in an hour, from which on no new live payment begins. What has begun goes on. 0 switches the limit off.',
      example: '60000',
    }),
    sandboxOrdersPerDay: setting('BUDGET_SANDBOX_ORDERS_PER_DAY', PER_MINUTE, inProduction(100_000, 0), {
      default: '100000 in production, else 0',
      meaning: 'Sandbox orders of one company in a day, each of which takes about 7 KB; 0 switches the limit off.',
      example: '100000',
    }),
    storagePerDay: setting('BUDGET_STORAGE_MB_PER_DAY', PER_MINUTE, inProduction(20_000, 0), {
      default: '20000 in production, else 0',
      meaning:
        'Megabytes that one company may write in a day: 7 KB for each order, and for each other call that changes something its body and 1 KB. 0 switches the limit off.',
      example: '20000',
    }),
    games: setting('BUDGET_GAMES', PER_MINUTE, 100, { meaning: 'Games of one company; 0 switches the limit off.' }),
    keys: setting('BUDGET_KEYS', PER_MINUTE, 500, {
      meaning: 'S2S keys of one company that are not revoked, in all its games; 0 switches the limit off.',
    }),
    streams: setting('BUDGET_STREAMS', PER_MINUTE, 200, {
      meaning:
        'Open pages of the dashboard of one company that wait for changes, and computers of its developers that listen; 0 switches the limit off.',
    }),
    examsPerHour: setting('BUDGET_EXAMS_PER_HOUR', PER_MINUTE, 15, {
      meaning: 'Receiver exams that one company may start in an hour; 0 switches the limit off.',
    }),
  },
  webhookAllowNetworks: setting('WEBHOOK_ALLOW_NETWORKS', networks, [], {
    meaning:
      'Private networks that webhooks may be sent to, as a comma separated list of CIDR ranges or addresses. Without it private, loopback and link-local addresses are refused (in development loopback is allowed).',
    example: '10.1.0.0/16,fd00:1234::/32',
  }),
  outgoingHosts: setting('OUTGOING_HOSTS', hosts, [], {
    default: 'none: every public host',
    meaning:
      'The only hosts that members may have called, for webhooks, exams and single sign-on: names and addresses, separated by commas; `*.example.com` stands for every name below example.com. What stands there already and is not among them is not called either. Payment providers have hosts of their own.',
    example: 'game.example.com,*.studio.example',
  }),
  trustProxy: setting('TRUST_PROXY', networks, [], {
    meaning:
      'Addresses of your own reverse proxies, as a comma separated list of CIDR ranges or addresses. Only from them `X-Forwarded-For` is believed; without it all players behind a proxy share one allowance for wrong links.',
    example: '127.0.0.1,10.0.0.0/8',
  }),
  env: setting('NODE_ENV', oneOf(['development', 'test', 'production']), 'development', {
    meaning:
      '`production` requires MASTER_KEY and an https PUBLIC_URL, and allows webhooks to public https addresses only.',
    example: 'production',
  }),
  logLevel: setting('LOG_LEVEL', oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info', {
    meaning: 'Least serious log lines to write: fatal, error, warn, info, debug, trace or silent.',
    example: 'warn',
  }),
  opsPort: setting('OPS_PORT', TCP_PORT, undefined, {
    default: 'none: `/metrics` is on PORT, see METRICS_PUBLIC',
    meaning:
      'A second port with `/metrics`, `/healthz` and `/readyz` only. `/metrics` then moves there from PORT. The only way to watch a process that was started with `work`.',
    example: '9464',
  }),
  opsHost: setting('OPS_HOST', host, '127.0.0.1', {
    meaning:
      'Address that OPS_PORT listens on. It needs no key, so the default is this machine alone; the image sets every address, because its port is not published.',
    example: '0.0.0.0',
  }),
  hasPublicMetrics: setting('METRICS_PUBLIC', onOrOff, inProduction(false, true), {
    default: 'on, in production off',
    meaning:
      'Whether `/metrics` answers on PORT when there is no OPS_PORT. In production it is off, so that the numbers of the shop are not public by accident.',
    example: 'off',
  }),
  stopDelaySeconds: setting('STOP_DELAY_SECONDS', wholeNumber(0, 300), inProduction(2, 0), {
    default: '2 in production, else 0',
    meaning:
      'After SIGTERM: how long to go on serving with `/readyz` at 503, so that a load balancer notices before the port closes. Meanwhile every answer asks its caller to open another connection.',
    example: '10',
  }),
  otlpEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', baseUrl, undefined, {
    default: 'none: nothing is sent',
    meaning:
      'Base URL of an OTLP/HTTP receiver for OpenTelemetry traces, metrics and logs, sent to `/v1/traces`, `/v1/metrics` and `/v1/logs` below it. `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER` work as OpenTelemetry describes them.',
    example: 'http://localhost:4318',
  }),
  otlpSignals: {
    traces: setting('OTEL_TRACES_EXPORTER', oneOf(['otlp', 'none']), 'otlp', {
      meaning: '`none`: no traces are sent to OTEL_EXPORTER_OTLP_ENDPOINT.',
      example: 'none',
    }),
    metrics: setting('OTEL_METRICS_EXPORTER', oneOf(['otlp', 'none']), 'otlp', {
      meaning: '`none`: no metrics are sent there, for those who scrape `/metrics`.',
      example: 'none',
    }),
    logs: setting('OTEL_LOGS_EXPORTER', oneOf(['otlp', 'none']), 'otlp', {
      meaning: '`none`: no logs are sent there, for those who read standard output, which has every line anyway.',
      example: 'none',
    }),
    metricsEveryMs: setting('OTEL_METRIC_EXPORT_INTERVAL', wholeNumber(1000, 3_600_000), 60_000, {
      meaning: 'Milliseconds between two reports of the metrics.',
      example: '15000',
    }),
  },
  serviceName: setting('OTEL_SERVICE_NAME', String, 'coinslot', {
    meaning: 'Name of this program in traces, metrics and logs.',
    example: 'coinslot-worker',
  }),
  liveGateway: setting('LIVE_GATEWAY', oneOf(['stripe', 'simulator']), 'stripe', {
    meaning:
      '`simulator` runs all of live without a provider: test cards, wallets and other methods as simulated buttons, saved methods. Every page says so. For demonstrations and tests; production refuses it.',
    refusedInProduction: gateway => gateway === 'simulator' && 'must not be simulator in production',
  }),
  providerRepeats: setting('PROVIDER_REPEATS', wholeNumber(0, 3), 3, {
    meaning:
      'How often a call to a payment provider that was answered with 429, 502 or 503, or whose connection broke, is made again within seconds, under the same key. 0 leaves it to the workers.',
  }),
  ...PROVIDER_SETTINGS,
  operations: {
    retentionDays: {
      deliveries: setting('RETENTION_DELIVERIES_DAYS', DAYS, 90, {
        meaning:
          'How long attempts, bodies and what observers got are kept; by whole months, removed as soon as the last day of one is older. 0 keeps them forever. Orders, payments, item deliveries, the ledger and the audit log are always kept.',
      }),
      events: setting('RETENTION_EVENTS_DAYS', DAYS, 90, {
        meaning: 'How long events are kept for lists, timelines and replays, by whole months; 0 forever.',
      }),
      mails: setting('RETENTION_MAILS_DAYS', DAYS, 30, {
        meaning: 'How long mails are kept after they were written; 0 forever.',
      }),
    },
    archiveDir: setting('ARCHIVE_DIR', String, undefined, {
      default: 'none: what is no longer kept is gone',
      meaning: 'Folder that gets what is removed, as compressed JSON lines, before it goes.',
      example: '/var/lib/coinslot/archive',
    }),
    migrate: setting('MIGRATE', onOrOff, true, {
      meaning:
        '`off`: a start changes no schema and stops when it does not fit. Migrations are then a step of their own, `npm run migrate`, before the rolling restart.',
      example: 'off',
    }),
    processes: setting('PROCESSES', processCount, 1, {
      meaning:
        'How many processes `npm start` runs, on one port; `auto` is one for each core. One that dies is replaced, SIGHUP replaces all of them one after the other.',
      example: 'auto',
    }),
    /** Counts the connections of this process alone. */
    databaseConnections: setting('DATABASE_CONNECTIONS', connectionCount, usualConnections, {
      default: '39 for each process; with the embedded PostgreSQL at most 90',
      meaning:
        'Connections to the database at most, over all processes of this command, at least 8 for each. They are shared out to requests, money, providers and reports by a fixed rule.',
      example: '60',
    }),
    sessionUrl: setting('DATABASE_SESSION_URL', databaseUrl, undefined, {
      default: 'none: DATABASE_URL gives whole sessions',
      meaning:
        'Set it when DATABASE_URL leads to a pooler in transaction mode: the way past it, for what needs a session of its own (notifications, migrations, backups). Settings then go with each transaction, and no statement is prepared.',
      example: 'postgresql://coinslot:password@db.example.com:5432/coinslot',
      isSecret: true,
    }),
    readUrl: setting('DATABASE_READ_URL', databaseUrl, undefined, {
      default: 'none: everything is read from DATABASE_URL',
      meaning:
        "A streaming replica for the dashboard's lists, figures and exports. They may lack what was written within the last 10 s; while it is away or further behind, they are read from DATABASE_URL. Nothing that money depends on is read from it. It is given as many connections as reports have, beside DATABASE_CONNECTIONS.",
      example: 'postgresql://coinslot:password@replica.example.com:5432/coinslot',
      isSecret: true,
    }),
  },
};
