/** The proxies of `ops/` as they are shipped, but for ports, certificates and names. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAuthority } from '@coinslot/testing/certificates';
import { Agent, fetch } from 'undici';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_MS = 60_000;
export const shippedFile = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export interface Upstreams {
  http: number;
  https: number;
  /** Where the processes listen, all of them on one port. */
  addresses: readonly string[];
  port: number;
  /** A name server that knows the addresses by {@link UPSTREAM_NAME}; without it there is one address. */
  resolver?: string;
}

export interface ShippedProxy {
  name: 'nginx' | 'caddy';
  /** Writes what it needs into the folder; answers with the command and the file of the authority to trust. */
  prepare(folder: string, upstreams: Upstreams): { command: [string, ...string[]]; env: NodeJS.ProcessEnv; ca: string };
}

export const UPSTREAM_NAME = 'coinslot.test';

const nginx: ShippedProxy = {
  name: 'nginx',
  prepare(folder, { http, https, addresses, port }) {
    const { ca, issue } = createAuthority();
    const { cert, key } = issue(['localhost']);
    const files = { 'ca.pem': ca, 'cert.pem': cert, 'key.pem': key };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const shipped = shippedFile('ops/nginx.conf')
      .replace(/^ *listen \[::\].*\n/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ', `listen 127.0.0.1:${https} `)
      .replace(/^ *server 127\.0\.0\.1:4242.*\n/m, line =>
        addresses.map(address => line.replace('127.0.0.1:4242', `${address}:${port}`)).join(''),
      )
      .replace(/\/etc\/.*fullchain\.pem/, join(folder, 'cert.pem'))
      .replace(/\/etc\/.*privkey\.pem/, join(folder, 'key.pem'))
      .replaceAll('/var/log/nginx', folder)
      .replaceAll('pay.example.com', 'localhost');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      kind => `${kind}_temp_path ${folder}/${kind};`,
    );
    // Its workers would else be another user, who may not read the folder.
    const user = process.getuid?.() === 0 ? 'user root; ' : '';
    const around = `${user}daemon off; pid ${folder}/pid; events {} http { access_log off; ${temporary.join(' ')}`;
    writeFileSync(join(folder, 'nginx.conf'), `${around}\n${shipped}}\n`);
    const command = ['nginx', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
    return { command: command as [string, ...string[]], env: {}, ca: join(folder, 'ca.pem') };
  },
};

const caddy: ShippedProxy = {
  name: 'caddy',
  prepare(folder, { http, https, addresses, port, resolver }) {
    const options = `{\n http_port ${http}\n https_port ${https}\n admin off\n skip_install_trust\n}\n`;
    const shipped = shippedFile('ops/Caddyfile');
    const text =
      resolver === undefined ? shipped : shipped.replace('transport http {', `transport http {\nresolvers ${resolver}`);
    writeFileSync(join(folder, 'Caddyfile'), `${options}${text}`);
    return {
      command: ['caddy', 'run', '--config', join(folder, 'Caddyfile')],
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        DOMAIN: 'localhost',
        UPSTREAM_HOST: resolver === undefined ? addresses[0] : UPSTREAM_NAME,
        UPSTREAM_PORT: String(port),
      },
      ca: join(folder, 'caddy/pki/authorities/local/root.crt'),
    };
  },
};

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)));

export const SHIPPED_PROXIES: readonly ShippedProxy[] = [nginx, caddy];
export const proxiesHere = (): ShippedProxy[] => SHIPPED_PROXIES.filter(({ name }) => onPath(name));

export interface RunningProxy {
  /** Of the authority that its certificate is from. */
  ca: string;
  stop(): Promise<void>;
}

/** Answers once the proxy leads to a program that runs. */
export async function startProxy(proxy: ShippedProxy, folder: string, upstreams: Upstreams): Promise<RunningProxy> {
  mkdirSync(folder, { recursive: true });
  const { command, env, ca } = proxy.prepare(folder, upstreams);
  const [program, ...args] = command;
  const child: ChildProcess = spawn(program, args, { env: { PATH: process.env.PATH, ...env } });
  let said = '';
  child.stderr?.on('data', chunk => (said += String(chunk)));
  const isUp = async (): Promise<boolean> => {
    if (!existsSync(ca)) return false;
    const dispatcher = new Agent({ connect: { ca: readFileSync(ca, 'utf8') } });
    const answer = await fetch(`https://localhost:${upstreams.https}/healthz`, { dispatcher }).catch(() => null);
    await answer?.text();
    await dispatcher.close();
    return answer?.status === 200;
  };
  const deadline = Date.now() + START_MS;
  while (!(await isUp())) {
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${proxy.name} does not answer:\n${said.slice(-2_000)}`);
    }
    await new Promise(next => void setTimeout(next, 50));
  }
  return {
    ca,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
