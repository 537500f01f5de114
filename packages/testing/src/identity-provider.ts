import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./identity-provider-child.mjs', import.meta.url));

export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who a user is from now on. */
  setUser(login: string, claims: Record<string, unknown>): Promise<void>;
  /** Goes through the provider's own pages as a browser does, and answers with the address that it sends the browser to. */
  signIn(url: string, login: string): Promise<URL>;
  stop(): Promise<void>;
}

/** Follows redirects with the cookies of one browser. */
function browserOf() {
  const cookies = new Map<string, string>();
  return async (url: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return response;
  };
}

/** A real OpenID provider, in a process of its own, with its own pages to sign in. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const child = spawn(process.execPath, [CHILD, redirectUri], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const { issuer } = JSON.parse(line) as { issuer: string };
  return {
    issuer,
    clientId: 'coinslot',
    clientSecret: 'a secret of the client',
    async setUser(login, claims) {
      await fetch(`${issuer}/test/users/${encodeURIComponent(login)}`, { method: 'PUT', body: JSON.stringify(claims) });
    },
    async signIn(url, login) {
      const open = browserOf();
      let response = await open(url);
      for (let steps = 0; steps < 10; steps++) {
        const location = response.headers.get('location');
        if (location === null) {
          // The form to sign in: any password is right.
          const action = /action="([^"]+)"/.exec(await response.text())?.[1];
          if (!action) throw new Error(`the identity provider answered ${response.status}`);
          response = await open(new URL(action, issuer).href, { prompt: 'login', login, password: 'any' });
          continue;
        }
        const next = new URL(location, issuer);
        if (next.href.startsWith(redirectUri)) return next;
        response = await open(next.href);
      }
      throw new Error('the identity provider did not come to an end');
    },
    async stop() {
      const end = once(child, 'exit');
      child.kill('SIGKILL');
      await end;
    },
  };
}
