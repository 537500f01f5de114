import type { Role, SessionState } from '@coinslot/contract';
import { insertMember } from '../../../apps/server/src/domain/company/member.sql.ts';
import { hashPassword } from '../../../apps/server/src/domain/user/password.ts';
import { startSession } from '../../../apps/server/src/domain/user/start-session.ts';
import { insertUser } from '../../../apps/server/src/domain/user/user.sql.ts';
import { newId } from '../../../apps/server/src/kit/ids.ts';
import type { Answer, TestProgram } from './program.ts';
import { CHEAP_PASSWORDS } from './registered-game.ts';

export const PASSWORD = 'orange lamp on the roof';

export interface BrowserCall {
  headers?: Record<string, string>;
  /** Without the token that proves that the app sent it. */
  csrf?: string | null;
  cookie?: string | null;
}

/** A browser with the dashboard open: keeps the cookie it is given, and sends the token with every change. */
export interface TestBrowser {
  cookie: string | null;
  /** What tells a browser that has signed in before. */
  known: string | null;
  csrf: string;
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    options?: BrowserCall,
  ): Promise<Answer<T>>;
  /** As the wire has it; the caller must read or cancel the body. */
  fetch(method: string, path: string, body?: unknown, options?: BrowserCall): Promise<Response>;
  /** Asks who it is, as the app does when it starts. */
  open(): Promise<SessionState>;
}

export interface BrowserSettings {
  /** Where the program is reached, when that is not where it listens: https gives its cookies another name. */
  publicUrl?: string;
  /** Sent with every call. */
  headers?: Record<string, string>;
}

export function newBrowser(
  url: string,
  startingCookie: string | null = null,
  { publicUrl = url, headers: always = {} }: BrowserSettings = {},
): TestBrowser {
  const name = publicUrl.startsWith('https:') ? '__Host-coinslot' : 'coinslot';
  const browser: TestBrowser = {
    cookie: startingCookie,
    known: null,
    csrf: '',
    async fetch(method, path, body, options = {}) {
      const { headers = {}, csrf = browser.csrf, cookie = browser.cookie } = options;
      const response = await fetch(`${url}/dashboard/api${path}`, {
        method,
        headers: {
          ...(cookie !== null && {
            cookie: `${name}=${cookie}${browser.known ? `; ${name}-browser=${browser.known}` : ''}`,
          }),
          ...always,
          ...(method !== 'GET' && { origin: publicUrl, 'sec-fetch-site': 'same-origin' }),
          ...(method !== 'GET' && csrf !== null && { 'x-csrf-token': csrf }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
      });
      for (const header of response.headers.getSetCookie()) {
        const [, kind, value = ''] = /^(?:__Host-)?(coinslot(?:-browser)?)=([^;]+)/.exec(header) ?? [];
        if (kind === 'coinslot') browser.cookie = value;
        if (kind === 'coinslot-browser') browser.known = value;
      }
      return response;
    },
    call: async (method, path, body, options) => {
      const response = await browser.fetch(method, path, body, options);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      const parsed = (text === '' ? {} : isJson ? JSON.parse(text) : { text }) as { csrf_token?: string };
      if (parsed.csrf_token) browser.csrf = parsed.csrf_token;
      return { status: response.status, headers: response.headers, body: parsed as never };
    },
    async open() {
      return (await browser.call<SessionState>('GET', '/session')).body;
    },
  };
  return browser;
}

export interface TestMember {
  userId: string;
  email: string;
  browser: TestBrowser;
}

/** A signed-in user with a role in the company, made in the database: signing in has tests of its own. */
export async function signedInMember(
  shop: Pick<TestProgram, 'database' | 'account' | 'url'>,
  role: Role,
  companyId?: string,
): Promise<TestMember> {
  const { db } = shop.database;
  const userId = newId('usr');
  const email = `${role}-${userId}@example.com`;
  const passwordHash = await hashPassword(PASSWORD, CHEAP_PASSWORDS);
  const token = await db.transaction(async tx => {
    await insertUser(tx, { id: userId, email, passwordHash, name: role, locale: null, isVerified: true });
    await insertMember(tx, companyId ?? shop.account.companyId, userId, role);
    return startSession(tx, userId, { ip: '127.0.0.1', userAgent: 'test' });
  });
  const browser = newBrowser(shop.url, token);
  await browser.open();
  return { userId, email, browser };
}

export interface KeptMail {
  subject: string;
  text: string;
}

/** The newest mail to an address; mails are kept, as there is no mail server. */
export async function mailTo(shop: Pick<TestProgram, 'database'>, recipient: string): Promise<KeptMail | undefined> {
  const [mail] = await shop.database.db.query<KeptMail>({
    name: '',
    text: 'select subject, content::text as text from mails where recipient = $1 order by id desc limit 1',
    values: [recipient],
  });
  return mail;
}

/** The token in the newest mail to an address. */
export async function tokenTo(shop: Pick<TestProgram, 'database'>, recipient: string): Promise<string> {
  const text = (await mailTo(shop, recipient))?.text ?? '';
  const token = /#token=([\w-]{43})/.exec(text)?.[1];
  if (!token) throw new Error(`no link for ${recipient} in ${text}`);
  return token;
}
