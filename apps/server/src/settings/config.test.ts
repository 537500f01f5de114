import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, givenSettings, loadConfig, SETTINGS } from './config.ts';

const KEY = randomBytes(32).toString('base64');

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n');
  }
};

describe('LIVE_GATEWAY=simulator', () => {
  const production = { NODE_ENV: 'production', MASTER_KEY: KEY, PUBLIC_URL: 'https://pay.example.com' };

  it('runs live without a provider, in development', () => {
    expect(loadConfig({ LIVE_GATEWAY: 'simulator' }).liveGateway).toBe('simulator');
    expect(problemsOf({ LIVE_GATEWAY: 'paper' })).toEqual([
      expect.stringContaining('must be one of stripe, simulator'),
    ]);
  });

  it('refuses to start in production', () => {
    expect(problemsOf({ ...production, LIVE_GATEWAY: 'simulator' })).toEqual([
      expect.stringContaining('LIVE_GATEWAY must not be simulator in production'),
    ]);
    expect(problemsOf({ ...production, LIVE_GATEWAY: 'stripe' })).toEqual([]);
  });
});

describe('settings', () => {
  it('have defaults that need nothing set', () => {
    expect(loadConfig({})).toEqual({
      env: 'development',
      port: 4242,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:4242',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      masterKey: undefined,
      newMasterKey: undefined,
      smtpUrl: undefined,
      smtpAllowPlain: false,
      smtpClientPem: undefined,
      requireSecondFactor: false,
      outgoingHosts: [],
      hasPublicMetrics: true,
      mailFrom: 'Coinslot <no-reply@localhost>',
      rateLimitPerMinute: 1000,
      registration: 'open',
      addressLimitPerMinute: 0,
      attemptLimits: { ofOrder: 10, ofPlayer: 20, ofNetwork: 30 },
      budgets: {
        requestsPerMinute: 0,
        providerCallsPerHour: 0,
        sandboxOrdersPerDay: 0,
        storagePerDay: 0,
        games: 100,
        keys: 500,
        streams: 200,
        examsPerHour: 15,
      },
      webhookAllowNetworks: [],
      trustProxy: [],
      logLevel: 'info',
      opsHost: '127.0.0.1',
      opsPort: undefined,
      stopDelaySeconds: 0,
      otlpEndpoint: undefined,
      otlpSignals: { traces: 'otlp', metrics: 'otlp', logs: 'otlp', metricsEveryMs: 60_000 },
      serviceName: 'coinslot',
      liveGateway: 'stripe',
      providerRepeats: 3,
      stripe: {
        keys: undefined,
        companies: undefined,
        apiBase: 'https://api.stripe.com',
        scriptUrl: 'https://js.stripe.com/endive/stripe.js',
      },
      paypal: { keys: undefined, companies: undefined, isTest: false, apiBase: undefined },
      mollie: { keys: undefined, companies: undefined, apiBase: 'https://api.mollie.com' },
      operations: {
        retentionDays: { deliveries: 90, events: 90, mails: 30 },
        archiveDir: undefined,
        sessionUrl: undefined,
        processes: 1,
        databaseConnections: 39,
        migrate: true,
      },
    });
  });

  it('that are empty count as not set', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', MASTER_KEY: '' })).toEqual(loadConfig({}));
  });

  it('follow each other: the port is in the public URL, its host is in the sender', () => {
    expect(loadConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(loadConfig({ PUBLIC_URL: 'https://pay.example.com' }).mailFrom).toBe('Coinslot <no-reply@pay.example.com>');
  });

  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '127.0.0.1', { host: '127.0.0.1' }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'localhost', { host: 'localhost' }],
    ['PUBLIC_URL', 'https://Pay.example.com:443/', { publicUrl: 'https://pay.example.com' }],
    ['PUBLIC_URL', 'http://10.0.0.2:4242', { publicUrl: 'http://10.0.0.2:4242' }],
    ['DATA_DIR', '/srv/coins', { dataDir: '/srv/coins' }],
    ['DATA_DIR', 'elsewhere', { dataDir: resolve('elsewhere') }],
    ['DATABASE_URL', 'postgres://u:p@h/db', { databaseUrl: 'postgres://u:p@h/db' }],
    ['DATABASE_URL', 'postgresql://u@h/db?host=/run/pg', { databaseUrl: 'postgresql://u@h/db?host=/run/pg' }],
    ['MASTER_KEY', KEY, { masterKey: Buffer.from(KEY, 'base64') }],
    ['SMTP_URL', 'smtp://localhost:2525', { smtpUrl: 'smtp://localhost:2525' }],
    ['MAIL_FROM', 'shop@example.com', { mailFrom: 'shop@example.com' }],
    ['MAIL_FROM', 'Łódź Games <shop@example.com>', { mailFrom: 'Łódź Games <shop@example.com>' }],
    ['RATE_LIMIT_PER_MINUTE', '0', { rateLimitPerMinute: 0 }],
    ['REGISTRATION', 'closed', { registration: 'closed' }],
    [
      'WEBHOOK_ALLOW_NETWORKS',
      '10.0.0.0/8, fd00::/8,192.168.7.7',
      { webhookAllowNetworks: ['10.0.0.0/8', 'fd00::/8', '192.168.7.7'] },
    ],
    ['REQUIRE_SECOND_FACTOR', 'on', { requireSecondFactor: true }],
    [
      'OUTGOING_HOSTS',
      'Game.example, *.bücher.example,10.0.0.1,fd00::1',
      { outgoingHosts: ['game.example', '*.xn--bcher-kva.example', '10.0.0.1', 'fd00::1'] },
    ],
    [
      'OUTGOING_HOSTS',
      '2001:0DB8:0:0::1, 2001:db8:0:0:1::5, ::ffff:10.0.0.1',
      // As URLs have them, so that what is listed is called (row 271).
      {
        outgoingHosts: ['2001:0DB8:0:0::1', '2001:db8:0:0:1::5', '::ffff:10.0.0.1'].map(one =>
          new URL(`https://[${one}]`).hostname.slice(1, -1),
        ),
      },
    ],
    ['NODE_ENV', 'test', { env: 'test' }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ])('%s takes %s', (name, value, expected) => {
    expect(loadConfig({ [name]: value })).toMatchObject(expected);
  });

  it.each([
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', 'http'],
    ['HOST', 'http://localhost'],
    ['HOST', '10.0.0.256'],
    ['HOST', 'localhost:80'],
    ['PUBLIC_URL', 'pay.example.com'],
    ['PUBLIC_URL', 'ftp://pay.example.com'],
    ['PUBLIC_URL', 'https://user:secret@pay.example.com'],
    ['PUBLIC_URL', 'https://pay.example.com/shop'],
    ['PUBLIC_URL', 'https://pay.example.com/?a=b'],
    ['DATABASE_URL', 'mysql://u:secret@h/db'],
    ['DATABASE_URL', 'postgresql://u:secret@h'],
    ['DATABASE_URL', 'secret'],
    ['DATABASE_URL', 'postgresql://u:p@secret/1@h/db'],
    ['DATABASE_URL', 'postgresql://u:p@secret#1@h/db'],
    ['MASTER_KEY', 'secret'],
    ['MASTER_KEY', `${'secret'.repeat(7)}?`],
    ['MASTER_KEY', Buffer.alloc(31).toString('base64')],
    ['SMTP_URL', 'https://u:secret@mail.example.com'],
    ['SMTP_URL', 'smtp:secret'],
    ['SMTP_CLIENT_PEM', 'secret'],
    ['MAIL_FROM', 'shop'],
    ['MAIL_FROM', 'A <a@example.com>\r\nBcc: b@example.com'],
    ['RATE_LIMIT_PER_MINUTE', '-5'],
    ['RATE_LIMIT_PER_MINUTE', 'many'],
    ['WEBHOOK_ALLOW_NETWORKS', '10.1'],
    ['WEBHOOK_ALLOW_NETWORKS', '10.1/16'],
    ['WEBHOOK_ALLOW_NETWORKS', 'localhost'],
    ['WEBHOOK_ALLOW_NETWORKS', '10.0.0.0/33'],
    ['WEBHOOK_ALLOW_NETWORKS', '10.0.0.0/8,'],
    ['OUTGOING_HOSTS', 'https://game.example'],
    ['OUTGOING_HOSTS', 'game.example:8443'],
    ['OUTGOING_HOSTS', 'game.example,'],
    ['OUTGOING_HOSTS', '*.10.0.0.1'],
    ['OUTGOING_HOSTS', '*'],
    ['NODE_ENV', 'prod'],
    ['LOG_LEVEL', 'loud'],
    ['STRIPE_SECRET_KEY', 'pk_live_secret'],
    ['STRIPE_SECRET_KEY', 'sk_live_with secret'],
    ['STRIPE_WEBHOOK_SECRET', 'secret'],
    ['STRIPE_API_BASE', 'https://api.stripe.com/v1'],
    ['STRIPE_JS_URL', 'js.stripe.com'],
  ])('%s refuses %s in one line with the name and an example, without the secret', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} .+\\. Example: ${name}=.+`));
    expect(problems[0]).not.toContain('secret');
  });

  it('of PayPal’s mode name what is taken, and an example that is', () => {
    const [problem, ...more] = problemsOf({ PAYPAL_MODE: 'test' });
    expect(more).toEqual([]);
    expect(problem).toBe('PAYPAL_MODE must be one of live, sandbox. Example: PAYPAL_MODE=live');
    expect(problemsOf({ PAYPAL_MODE: 'live' })).toEqual([]);
    expect(loadConfig({ PAYPAL_MODE: 'sandbox' }).paypal.isTest).toBe(true);
  });

  it('that are wrong are all reported at once', () => {
    const problems = problemsOf({ PORT: 'x', NODE_ENV: 'production', SMTP_URL: 'x', LOG_LEVEL: 'x' });
    expect(problems.map(line => line.split(' ')[0] ?? '').toSorted((a, b) => a.localeCompare(b))).toEqual([
      'LOG_LEVEL',
      'MASTER_KEY',
      'PORT',
      'PUBLIC_URL',
      'SMTP_URL',
    ]);
  });

  it('of production are a master key and an https address', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toHaveLength(2);
    const http = problemsOf({ NODE_ENV: 'production', MASTER_KEY: KEY, PUBLIC_URL: 'http://pay.example.com' });
    expect(http).toEqual([expect.stringContaining('PUBLIC_URL must be https in production')]);
    const wrongKey = problemsOf({ NODE_ENV: 'production', MASTER_KEY: 'x', PUBLIC_URL: 'https://pay.example.com' });
    expect(wrongKey).toEqual([expect.stringContaining('MASTER_KEY must be 32 bytes in base64')]);
    expect(problemsOf({ NODE_ENV: 'production', MASTER_KEY: KEY, PUBLIC_URL: 'https://pay.example.com' })).toEqual([]);
  });

  it('are described once each', () => {
    expect(new Set(SETTINGS.map(setting => setting.name)).size).toBe(SETTINGS.length);
  });

  it('believe no proxy unless it is named', () => {
    expect(loadConfig({}).trustProxy).toEqual([]);
    expect(loadConfig({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' }).trustProxy).toEqual(['127.0.0.1', '10.0.0.0/8']);
    expect(problemsOf({ TRUST_PROXY: 'anywhere' })[0]).toContain('TRUST_PROXY');
  });

  it('of Stripe come together, of one mode, and with live keys in production', () => {
    const pair = { STRIPE_SECRET_KEY: 'sk_live_0123456789', STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789' };
    expect(loadConfig({ ...pair, STRIPE_WEBHOOK_SECRET: 'whsec_0123456789' }).stripe.keys).toEqual({
      secretKey: 'sk_live_0123456789',
      publishableKey: 'pk_live_0123456789',
      callbackSecret: 'whsec_0123456789',
    });
    expect(problemsOf({ STRIPE_SECRET_KEY: 'sk_live_0123456789' })[0]).toContain('STRIPE_PUBLISHABLE_KEY is required');
    expect(problemsOf({ STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789' })[0]).toContain('STRIPE_SECRET_KEY is required');
    expect(problemsOf({ ...pair, STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789' })[0]).toContain('same mode');
    const production = { NODE_ENV: 'production', MASTER_KEY: KEY, PUBLIC_URL: 'https://pay.example.com' };
    const test = { STRIPE_SECRET_KEY: 'sk_test_0123456789', STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789' };
    expect(problemsOf({ ...production, ...test })[0]).toContain('STRIPE_SECRET_KEY must be a live key');
    expect(problemsOf({ ...production, STRIPE_API_BASE: 'http://127.0.0.1:1' })[0]).toContain('https in production');
    expect(problemsOf({ ...production, STRIPE_JS_URL: 'http://127.0.0.1:1/v3' })[0]).toContain('https in production');
  });
});

it('commands of the banner carry what this start was given, and no secret', () => {
  expect(givenSettings({})).toBe('');
  expect(givenSettings({ PORT: '4250', DATA_DIR: 'shop data', LOG_LEVEL: 'debug' })).toBe(
    `DATA_DIR='${resolve('shop data')}' PORT=4250 `,
  );
  const secret = givenSettings({ DATABASE_URL: 'postgresql://me:pw@db/shop', MASTER_KEY: 'abc', PORT: ' ' });
  expect(secret).toBe('DATABASE_URL=… MASTER_KEY=… ');
});

describe('NAME_FILE', () => {
  it('gives every secret from a file, as container platforms mount them, and nothing else; an empty one is refused (row 205)', ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'coinslot-secrets-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'secret');
    writeFileSync(file, `${KEY}\n`);
    const base64 = loadConfig({ MASTER_KEY_FILE: file }).masterKey;
    expect(base64).toEqual(loadConfig({ MASTER_KEY: KEY }).masterKey);
    writeFileSync(file, 'postgresql://me:pw@db/shop\n');
    expect(loadConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgresql://me:pw@db/shop');
    expect(loadConfig({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgresql://you@db/other' }).databaseUrl).toBe(
      'postgresql://you@db/other',
    );
    expect(loadConfig({ PORT_FILE: file }).port).toBe(4242);
    expect(SETTINGS.filter(({ isSecret }) => isSecret).length).toBeGreaterThan(6);
    writeFileSync(file, ' \n');
    expect(problemsOf({ DATABASE_URL_FILE: file, MASTER_KEY_FILE: file })).toEqual([
      `DATABASE_URL_FILE names an empty file: ${file}`,
      `MASTER_KEY_FILE names an empty file: ${file}`,
    ]);
    expect(problemsOf({ SMTP_URL_FILE: join(folder, 'none') })).toEqual([
      expect.stringMatching(/^SMTP_URL_FILE cannot be read: ENOENT/),
    ]);
  });
});
