import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { type Certificate, createAuthority } from '@coinslot/testing/certificates';
import { newBrowser, PASSWORD, type TestBrowser } from '@coinslot/testing/dashboard';
import { type ReceivedMail, smtpReceiver } from '@coinslot/testing/smtp-receiver';
import { LIVE_KEY, type StripeDouble, startStripeDouble } from '@coinslot/testing/stripe-double/stripe-double';
import { expect } from 'vitest';
import { freePort } from './free-port.ts';
import { patience } from './game-studio.ts';
import { type Coinslot, startCoinslot } from './start-coinslot.ts';

export const PUBLIC_URL = 'https://pay.example.com';

interface Listening {
  url: string;
  close(): Promise<void>;
}

interface Listener {
  listen(port: number, host: string, then: () => void): unknown;
  address(): string | AddressInfo | null;
  close(then: () => void): unknown;
}

async function listen(server: Listener): Promise<Listening> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, close: () => new Promise(resolve => server.close(resolve)) };
}

/** TLS in front of a double that speaks plain HTTP: in production no provider is asked without it. */
const withTls = (certificate: Certificate, url: string): Promise<Listening> =>
  listen(
    createTlsServer(certificate, near => {
      const far = connect(Number(new URL(url).port), '127.0.0.1');
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
      near.pipe(far).pipe(near);
    }),
  );

/** A game that grants everything. */
const startGame = (certificate: Certificate): Promise<Listening> =>
  listen(createHttpsServer(certificate, (_request, response) => void response.writeHead(200).end()));

/** The built program as an operator runs it: production, TLS everywhere, a mail server, a provider; and a stranger's tools. */
export interface ProductionShop extends Coinslot {
  stripe: StripeDouble;
  gameUrl: string;
  opsUrl: string;
  mails: ReceivedMail[];
  /** A browser at this network address. */
  visitor(address: string, at?: string): Promise<TestBrowser>;
  /** The newest link that was mailed to an address; waits for it. */
  linkTo(recipient: string, subject: RegExp): Promise<string>;
  /** The path of a checkout URL at this program. */
  here(checkoutUrl: string): string;
}

export async function startProductionShop(): Promise<ProductionShop> {
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-production-'));
  const authority = createAuthority();
  const trusted = join(folder, 'authority.pem');
  await writeFile(trusted, authority.ca);
  const certificate = authority.issue(['127.0.0.1']);
  const [smtp, stripe, game, opsPort] = await Promise.all([
    smtpReceiver(),
    startStripeDouble(),
    startGame(certificate),
    freePort(),
  ]);
  const provider = await withTls(certificate, stripe.url);
  const coinslot = await startCoinslot({
    NODE_ENV: 'production',
    PUBLIC_URL,
    OPS_PORT: String(opsPort),
    SMTP_URL: smtp.url,
    TRUST_PROXY: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: trusted,
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.1',
    STRIPE_API_BASE: provider.url,
    STRIPE_SECRET_KEY: LIVE_KEY,
    STRIPE_PUBLISHABLE_KEY: 'pk_live_Double0001',
    RATE_LIMIT_PER_MINUTE: '',
    LOG_LEVEL: 'info',
  });
  const { mails } = smtp;
  return {
    ...coinslot,
    stripe,
    mails,
    gameUrl: `${game.url}/items`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    here: checkoutUrl => coinslot.url + new URL(checkoutUrl).pathname,
    async visitor(address, at = coinslot.url) {
      const browser = newBrowser(at, null, { publicUrl: PUBLIC_URL, headers: { 'x-forwarded-for': address } });
      await browser.open();
      return browser;
    },
    async linkTo(recipient, subject) {
      const find = (): string | undefined => {
        const mail = mails.findLast(sent => sent.recipients.includes(recipient) && subject.test(sent.subject ?? ''));
        return /#token=([\w-]{43})/.exec(mail?.text ?? '')?.[1];
      };
      await expect.poll(find, patience).toBeDefined();
      return find()!;
    },
    async stop() {
      await coinslot.stop();
      await Promise.all([smtp.close(), provider.close(), game.close()]);
      await stripe.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const GAME_URL = 'https://play.google.com/store/apps/details?id=com.example.castle';

export const signIn = (browser: TestBrowser, email: string, password = PASSWORD) =>
  browser.call('POST', '/sign_in', { email, password });
