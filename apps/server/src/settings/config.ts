import { resolve } from 'node:path';
import { OPERATIONS_SETTINGS, type OperationsConfig, readOperations } from './operations-settings.ts';
import {
  type PaypalConfig,
  PROVIDER_SETTINGS,
  readPaypal,
  readStripe,
  type StripeConfig,
} from './provider-settings.ts';
import {
  baseUrl,
  databaseUrl,
  host,
  isHttps,
  key,
  networks,
  oneOf,
  origin,
  sender,
  smtpUrl,
  wholeNumber,
} from './setting-parsers.ts';

const ENVIRONMENTS = ['development', 'test', 'production'] as const;
const SWITCH = ['on', 'off'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every setting there is, for this file's messages and for docs/reference/configuration.md. */
export const SETTINGS = [
  {
    name: 'PORT',
    default: '4242',
    meaning: 'TCP port to listen on; 0 takes any free one.',
    example: '4242',
  },
  {
    name: 'HOST',
    default: '0.0.0.0',
    meaning:
      'Address to listen on. The default is every IPv4 address, so that a phone in the same network can open a checkout; 127.0.0.1 keeps it to this machine.',
    example: '127.0.0.1',
  },
  {
    name: 'PUBLIC_URL',
    default: 'http://localhost:PORT',
    meaning:
      'Where players and game backends reach the service; checkout URLs begin with it. Production requires https.',
    example: 'https://pay.example.com',
  },
  {
    name: 'DATA_DIR',
    default: 'data',
    meaning: 'Folder for the embedded PostgreSQL and the generated master key; relative to the current folder.',
    example: '/var/lib/coinslot/data',
  },
  {
    name: 'DATABASE_URL',
    default: 'the embedded PostgreSQL in DATA_DIR',
    meaning:
      'A PostgreSQL server, version 15 or newer, to use instead of the embedded one. Several hosts, `host1:5432,host2:5432`, are tried in turn; with `?target_session_attrs=read-write` only one that takes writes will do.',
    example: 'postgresql://coinslot:password@db.example.com:5432/coinslot',
  },
  {
    name: 'MASTER_KEY',
    default: 'made once and kept in DATA_DIR/master.key (not in production)',
    meaning:
      'Encrypts S2S keys and webhook secrets in the database: 32 bytes in base64, as `openssl rand -base64 32` prints. Production requires it. Without it those secrets cannot be read again: keep a copy.',
    example: '(the output of: openssl rand -base64 32)',
  },
  {
    name: 'NEW_MASTER_KEY',
    default: 'none',
    meaning: 'The key that follows MASTER_KEY: only for the command `keys rotate`, which seals everything under it.',
    example: '(the output of: openssl rand -base64 32)',
  },
  {
    name: 'SMTP_URL',
    default: 'none: mails are kept, `npm run mails` shows them',
    meaning: 'Mail server for receipts and notices; smtps:// for TLS from the first byte, smtp:// for STARTTLS.',
    example: 'smtps://user:password@mail.example.com:465',
  },
  {
    name: 'SMTP_ALLOW_PLAIN',
    default: 'off',
    meaning:
      '`on` lets mails without a password go to a server on another machine without TLS. By default such a server must offer STARTTLS.',
    example: 'on',
  },
  {
    name: 'MAIL_FROM',
    default: 'Coinslot <no-reply@host of PUBLIC_URL>',
    meaning: 'Sender of those mails.',
    example: 'Example Games <receipts@example.com>',
  },
  {
    name: 'REGISTRATION',
    default: 'open; in production closed once a first company exists',
    meaning:
      '`open` lets strangers register a company in the dashboard, `closed` does not. The command `setup` and invitations always work.',
    example: 'open',
  },
  {
    name: 'RATE_LIMIT_PER_MINUTE',
    default: '1000',
    meaning: 'Requests each S2S key may make in a minute; 0 switches the limit off.',
    example: '1000',
  },
  {
    name: 'ADDRESS_LIMIT_PER_MINUTE',
    default: '6000 in production, else 0',
    meaning:
      'Requests without an S2S key that one network address may make in a minute: payment pages, sign-in, callbacks, documents. Each 4 KiB of a body counts as one more. 0 switches the limit off. Behind a proxy set TRUST_PROXY too, or all callers share the proxy’s address.',
    example: '6000',
  },
  {
    name: 'ATTEMPTS_PER_ORDER',
    default: '10',
    meaning: 'Payments of one order that may be declined within an hour; then the page says when to try again.',
    example: '10',
  },
  {
    name: 'ATTEMPTS_PER_PLAYER',
    default: '20',
    meaning: 'The same for one player of a live game.',
    example: '20',
  },
  {
    name: 'ATTEMPTS_PER_ADDRESS',
    default: '30',
    meaning: 'The same for one network address in a live game. Behind a proxy set TRUST_PROXY too.',
    example: '30',
  },
  {
    name: 'WEBHOOK_ALLOW_NETWORKS',
    default: 'none',
    meaning:
      'Private networks that webhooks may be sent to, as a comma separated list of CIDR ranges or addresses. Without it private, loopback and link-local addresses are refused (in development loopback is allowed).',
    example: '10.1.0.0/16,fd00:1234::/32',
  },
  {
    name: 'TRUST_PROXY',
    default: 'none',
    meaning:
      'Addresses of your own reverse proxies, as a comma separated list of CIDR ranges or addresses. Only from them `X-Forwarded-For` is believed; without it all players behind a proxy share one allowance for wrong links.',
    example: '127.0.0.1,10.0.0.0/8',
  },
  {
    name: 'NODE_ENV',
    default: 'development',
    meaning:
      '`production` requires MASTER_KEY and an https PUBLIC_URL, and allows webhooks to public https addresses only.',
    example: 'production',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: 'Least serious log lines to write: fatal, error, warn, info, debug, trace or silent.',
    example: 'warn',
  },
  {
    name: 'OPS_PORT',
    default: 'none: `/metrics` is on PORT, see METRICS_PUBLIC',
    meaning:
      'A second port with `/metrics`, `/healthz` and `/readyz` only. `/metrics` then moves there from PORT. The only way to watch a process that was started with `work`.',
    example: '9464',
  },
  {
    name: 'METRICS_PUBLIC',
    default: 'on, in production off',
    meaning:
      'Whether `/metrics` answers on PORT when there is no OPS_PORT. In production it is off, so that the numbers of the shop are not public by accident.',
    example: 'off',
  },
  {
    name: 'STOP_DELAY_SECONDS',
    default: '2 in production, else 0',
    meaning:
      'After SIGTERM: how long to go on serving with `/readyz` at 503, so that a load balancer notices before the port closes. Meanwhile every answer asks its caller to open another connection.',
    example: '10',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: 'none: nothing is traced',
    meaning:
      'Base URL of an OTLP/HTTP receiver for OpenTelemetry traces, sent to `/v1/traces` below it. `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER` work as OpenTelemetry describes them.',
    example: 'http://localhost:4318',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    default: 'coinslot',
    meaning: 'Name of this program in the traces.',
    example: 'coinslot-worker',
  },
  {
    name: 'LIVE_GATEWAY',
    default: 'stripe',
    meaning:
      '`simulator` runs all of live without a provider: test cards, wallets and other methods as simulated buttons, saved methods. Every page says so. For demonstrations and tests; production refuses it.',
    example: 'stripe',
  },
  ...PROVIDER_SETTINGS,
  ...OPERATIONS_SETTINGS,
] as const satisfies readonly { name: string; default: string; meaning: string; example: string }[];

export type SettingName = (typeof SETTINGS)[number]['name'];

export interface Config {
  env: (typeof ENVIRONMENTS)[number];
  port: number;
  host: string;
  /** An origin: scheme, host and port, without a slash at the end. */
  publicUrl: string;
  dataDir: string;
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** Undefined outside production: see `masterKey` in master-key.ts. */
  masterKey: Buffer | undefined;
  newMasterKey: Buffer | undefined;
  smtpUrl: string | undefined;
  smtpAllowPlain: boolean;
  mailFrom: string;
  /** 0 is no limit. */
  rateLimitPerMinute: number;
  /** `first`: until there is a company. */
  registration: 'open' | 'closed' | 'first';
  /** Declined payments within an hour. */
  attemptLimits: { ofOrder: number; ofPlayer: number; ofNetwork: number };
  /** For callers without a key; 0 is no limit. */
  addressLimitPerMinute: number;
  /** CIDR ranges or single addresses. */
  webhookAllowNetworks: string[];
  /** Proxies that are trusted to name the caller's address. */
  trustProxy: string[];
  logLevel: (typeof LOG_LEVELS)[number];
  /** Undefined: metrics are on `port`. */
  opsPort: number | undefined;
  /** Whether `port` answers for metrics too. */
  hasPublicMetrics: boolean;
  /** Between the request to stop and the end of service. */
  stopDelaySeconds: number;
  /** Without a slash at the end. */
  otlpEndpoint: string | undefined;
  serviceName: string;
  /** `simulator`: all of live without a provider, for demonstrations and tests. */
  liveGateway: 'stripe' | 'simulator';
  stripe: StripeConfig;
  paypal: PaypalConfig;
  operations: OperationsConfig;
}

/** For what only shows which settings were given. */
export const environment = (): NodeJS.ProcessEnv => process.env;

/** One line for each problem; never the value of a secret. */
export class ConfigError extends Error {}

/** Reads and checks every setting. All problems are reported at once. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const refuse = (name: SettingName, reason: string): void => {
    const example = SETTINGS.find(setting => setting.name === name)?.example;
    problems.push(`${name} ${reason}. Example: ${name}=${example}`);
  };
  const read = <T>(name: SettingName, parse: (text: string) => T): T | undefined => {
    const text = env[name]?.trim();
    if (!text) return undefined;
    try {
      return parse(text);
    } catch (error) {
      refuse(name, (error as Error).message);
      return undefined;
    }
  };

  const port = read('PORT', wholeNumber(0, 65_535)) ?? 4242;
  const publicUrl = read('PUBLIC_URL', origin) ?? `http://localhost:${port}`;
  const mode = read('NODE_ENV', oneOf(ENVIRONMENTS)) ?? 'development';
  const config: Config = {
    env: mode,
    port,
    host: read('HOST', host) ?? '0.0.0.0',
    publicUrl,
    dataDir: resolve(read('DATA_DIR', String) ?? 'data'),
    databaseUrl: read('DATABASE_URL', databaseUrl),
    masterKey: read('MASTER_KEY', key),
    newMasterKey: read('NEW_MASTER_KEY', key),
    smtpUrl: read('SMTP_URL', smtpUrl),
    smtpAllowPlain: read('SMTP_ALLOW_PLAIN', oneOf(SWITCH)) === 'on',
    mailFrom: read('MAIL_FROM', sender) ?? `Coinslot <no-reply@${new URL(publicUrl).hostname}>`,
    rateLimitPerMinute: read('RATE_LIMIT_PER_MINUTE', wholeNumber(0, 1_000_000_000)) ?? 1000,
    registration: read('REGISTRATION', oneOf(['open', 'closed'])) ?? (mode === 'production' ? 'first' : 'open'),
    attemptLimits: {
      ofOrder: read('ATTEMPTS_PER_ORDER', wholeNumber(1, 1_000_000)) ?? 10,
      ofPlayer: read('ATTEMPTS_PER_PLAYER', wholeNumber(1, 1_000_000)) ?? 20,
      ofNetwork: read('ATTEMPTS_PER_ADDRESS', wholeNumber(1, 1_000_000)) ?? 30,
    },
    addressLimitPerMinute:
      read('ADDRESS_LIMIT_PER_MINUTE', wholeNumber(0, 1_000_000_000)) ?? (mode === 'production' ? 6000 : 0),
    trustProxy: read('TRUST_PROXY', networks) ?? [],
    webhookAllowNetworks: read('WEBHOOK_ALLOW_NETWORKS', networks) ?? [],
    logLevel: read('LOG_LEVEL', oneOf(LOG_LEVELS)) ?? 'info',
    opsPort: read('OPS_PORT', wholeNumber(0, 65_535)),
    hasPublicMetrics: (read('METRICS_PUBLIC', oneOf(SWITCH)) ?? (mode === 'production' ? 'off' : 'on')) === 'on',
    stopDelaySeconds: read('STOP_DELAY_SECONDS', wholeNumber(0, 300)) ?? (mode === 'production' ? 2 : 0),
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', baseUrl),
    serviceName: read('OTEL_SERVICE_NAME', String) ?? 'coinslot',
    liveGateway: read('LIVE_GATEWAY', oneOf(['stripe', 'simulator'])) ?? 'stripe',
    stripe: readStripe(read, refuse, mode === 'production'),
    paypal: readPaypal(read, refuse, mode === 'production'),
    operations: readOperations(read, wholeNumber, !env.DATABASE_URL?.trim()),
  };
  if (config.env === 'production') {
    const isRefused = (name: SettingName): boolean => problems.some(problem => problem.startsWith(`${name} `));
    if (config.liveGateway === 'simulator') refuse('LIVE_GATEWAY', 'must not be simulator in production');
    if (!config.masterKey && !isRefused('MASTER_KEY')) refuse('MASTER_KEY', 'is required in production');
    if (!isHttps(publicUrl) && !isRefused('PUBLIC_URL')) refuse('PUBLIC_URL', 'must be https in production');
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}
