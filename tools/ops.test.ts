import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../apps/server/src/settings/config.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const known = new Set<string>(SETTINGS.map(({ name }) => name));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** What `npm start` comes to once everything is built. */
const START = scripts.start?.replace('tools/run.mjs start', 'apps/server/dist/main.js');
const COMMANDS = /start|serve|work/;

describe('the Dockerfile', () => {
  const lines = read('Dockerfile')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter(line => /^[A-Z]+ /.test(line));
  const all = (instruction: string): string[] =>
    lines.filter(line => line.startsWith(`${instruction} `)).map(line => line.slice(instruction.length + 1));

  it('builds in one stage and runs in another, not as root', () => {
    expect(all('FROM')).toHaveLength(2);
    expect(all('USER')).toEqual(['1000:1000']);
    expect(lines.findIndex(line => line.startsWith('USER'))).toBeLessThan(
      lines.findIndex(line => line.startsWith('ENTRYPOINT')),
    );
  });

  it('runs a program and a script that exist, with settings that exist', () => {
    expect(existsSync(join(ROOT, 'tools/prepare.mjs'))).toBe(true);
    expect(read('Dockerfile')).toContain('RUN node tools/prepare.mjs start');
    const entry = JSON.parse(all('ENTRYPOINT')[0]!) as string[];
    expect(entry.join(' ')).toBe(START);
    expect(JSON.parse(all('CMD')[0]!)[0]).toMatch(COMMANDS);
    const settings = all('ENV').flatMap(line => [...line.matchAll(/(\w+)=/g)].map(([, name = '']) => name));
    expect(settings.filter(name => !known.has(name))).toEqual([]);
  });

  it('says whether the process lives', () => {
    const [, probe = ''] = /CMD (\[.+\])$/.exec(all('HEALTHCHECK')[0]!) ?? [];
    expect((JSON.parse(probe) as string[])[2]).toContain('/healthz');
  });

  it('leaves out what must not travel: everything is out unless it is named', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    const letIn = rules.filter(rule => rule.startsWith('!')).map(rule => rule.slice(1));
    for (const path of letIn) expect(existsSync(join(ROOT, path)), path).toBe(true);
    for (const tool of ['prepare', 'browsers', 'with-lock', 'bundle']) expect(letIn).toContain(`tools/${tool}.mjs`);
    for (const path of ['.git', '.env', 'data', 'node_modules', 'e2e', 'bench']) expect(letIn).not.toContain(path);
    const last = rules.findLastIndex(rule => rule.startsWith('!'));
    for (const rule of ['**/.env', '**/.env.*', '**/*.key', '**/data', '**/node_modules'])
      expect(rules.indexOf(rule), rule).toBeGreaterThan(last);
  });

  it('keeps the settings of an operator out of git too', () => {
    const ignored = read('.gitignore').split('\n');
    for (const path of ['.env', '.env.*', 'data/']) expect(ignored).toContain(path);
    expect(execFileSync('git', ['ls-files', '.env', '*.env', '**/*.key'], { cwd: ROOT, encoding: 'utf8' })).toBe('');
  });

  it('installs before it copies the sources, so that a change of one builds on what is installed', () => {
    const copies = lines.filter(line => /^(?:COPY|RUN) /.test(line));
    const installs = copies.findIndex(line => line.startsWith('RUN npm ci'));
    const everything = copies.indexOf('COPY . .');
    expect([installs > 0, installs < everything]).toEqual([true, true]);
    const manifests = copies.slice(0, installs).flatMap(line => line.match(/\S+package\.json/g) ?? []);
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    const expected = workspaces
      .flatMap(pattern => readdirSync(join(ROOT, pattern.slice(0, -2))).map(name => `${pattern.slice(0, -2)}/${name}`))
      .map(folder => `${folder}/package.json`)
      .filter(file => existsSync(join(ROOT, file)));
    expect(manifests.toSorted()).toEqual(expected.toSorted());
  });

  it('is built on one image for good, and takes over nothing but named parts of the build', () => {
    expect(all('ARG')).toEqual([
      expect.stringMatching(/^NODE_IMAGE=node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/),
    ]);
    for (const image of all('FROM')) expect(image).toMatch(/^\$\{NODE_IMAGE\}(?: AS build)?$/);
    for (const copy of lines.filter(line => line.startsWith('COPY --from=build')))
      expect(copy).not.toMatch(/ \/app \S+$/);
  });
});

/** The shape of the file by its indentation: `services.web.command` → `["serve"]`. */
function flatten(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const path: string[] = [];
  for (const line of text.split('\n')) {
    const match = /^( *)([\w.<-]+): ?(.*)$/.exec(line);
    if (!match) continue;
    const depth = match[1]!.length / 2;
    path.splice(depth, path.length, match[2]!);
    found.set(path.join('.'), match[3]!.replace(/^"|"$/g, ''));
  }
  return found;
}

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const entries = flatten(text);

  it('is indented by two spaces, without tabs', () => {
    for (const line of text.split('\n')) expect(line).toMatch(/^(?: {2})*(?:\S|$)/);
  });

  it('gives only settings that exist, and all that production requires', () => {
    const settings = [...entries.keys()]
      .filter(key => key.startsWith('x-coinslot.environment.'))
      .map(key => key.slice('x-coinslot.environment.'.length));
    expect(settings.filter(name => !known.has(name))).toEqual([]);
    expect(settings).toEqual(expect.arrayContaining(['DATABASE_URL', 'MASTER_KEY', 'PUBLIC_URL']));
    expect(entries.get('x-coinslot.environment.PUBLIC_URL')).toMatch(/^https:/);
  });

  it('runs a database, a server and a worker, and no secret stands in it', () => {
    expect(entries.get('services.db.image')).toMatch(/^postgres:\d+\.\d+@sha256:[0-9a-f]{64}$/);
    expect(entries.get('services.proxy.image')).toMatch(/^caddy:\d+\.\d+\.\d+-alpine@sha256:[0-9a-f]{64}$/);
    expect(entries.get('services.web.command')).toBe('["serve"]');
    expect(entries.get('services.worker.command')).toBe('["work"]');
    expect(entries.get('x-coinslot.environment.MASTER_KEY')).toMatch(/^\$\{MASTER_KEY:\?/);
    expect(text.match(/POSTGRES_PASSWORD(?!:\?|=| *: *\$\{)/g)).toBeNull();
  });

  it('drops what the kernel would let a service do, for every service', () => {
    const services = [
      ...text
        .split(/^services:$/m)[1]!
        .split(/^\w/m)[0]!
        .matchAll(/^ {2}(\w+):$/gm),
    ].map(([, name]) => name!);
    expect(services).toEqual(['db', 'web', 'worker', 'proxy']);
    const coinslot = text.split(/^services:$/m)[0]!;
    for (const name of services) {
      const own = text.split(new RegExp(`^  ${name}:$`, 'm'))[1]!.split(/^ {0,2}\w/m)[0]!;
      const whole = own.includes('<<: *coinslot') ? coinslot : own;
      expect(whole, name).toContain('cap_drop: [ALL]');
      expect(whole, name).toContain('no-new-privileges:true');
    }
  });

  it('believes the proxy of its own network, and mounts files that exist', () => {
    expect(text).toContain(`subnet: ${entries.get('x-coinslot.environment.TRUST_PROXY')}`);
    for (const [, path = ''] of text.matchAll(/"(\.\/[^:"]+):/g)) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });
});

const COMPOSE = '/usr/bin/docker-compose';

describe.runIf(existsSync(COMPOSE))('what compose makes of compose.yaml', () => {
  const values = { DOMAIN: 'pay.example.com', MASTER_KEY: 'a key', POSTGRES_PASSWORD: 'a word' };
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'coinslot-compose-'));
    writeFileSync(join(folder, 'empty.env'), '');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const resolve = (env: Record<string, string>): string =>
    execFileSync(COMPOSE, ['--env-file', join(folder, 'empty.env'), '-f', join(ROOT, 'compose.yaml'), 'config'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('is whole with the three values, and says which is missing', () => {
    expect(resolve(values)).toContain('PUBLIC_URL: https://pay.example.com');
    for (const name of Object.keys(values)) {
      const { [name as keyof typeof values]: _, ...others } = values;
      expect(() => resolve(others)).toThrow(name);
    }
  });
});

describe('the systemd unit', () => {
  const unit = read('ops/coinslot.service');
  const hasSystemd = existsSync('/usr/bin/systemd-analyze');

  it('gives only settings that exist', () => {
    const settings = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name);
    expect(settings.filter(name => !known.has(name))).toEqual([]);
  });

  it('is closed where it can be', () => {
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'PrivateTmp=yes', 'CapabilityBoundingSet=']) {
      expect(unit).toContain(`\n${line}\n`);
    }
    expect(unit).toContain(`\nExecStart=/usr/bin/${START} start\n`);
  });

  it.runIf(hasSystemd)('is what systemd itself calls well-formed and little exposed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinslot-unit-'));
    const path = join(folder, 'coinslot.service');
    writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
    const analyze = (...args: string[]): string =>
      execFileSync('systemd-analyze', [...args, path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(analyze('verify')).toBe('');
    expect(analyze('security', '--offline=true', '--threshold=20')).toContain('Overall exposure level');
    rmSync(folder, { recursive: true });
  });
});

describe.each(['ops/Caddyfile', 'ops/nginx.conf'])('%s', path => {
  const text = read(path).replace(/^\s*#.*$/gm, '');

  it('closes every brace, hides the metrics and waits longer than a long poll', () => {
    expect(text.split('{').length).toBe(text.split('}').length);
    expect(text).toContain('/metrics');
    const [, seconds = '0'] = /(?:proxy_read_timeout|response_header_timeout) (\d+)s/.exec(text) ?? [];
    expect(Number(seconds)).toBeGreaterThan(30);
  });
});

describe('the example proxies', () => {
  const token = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';

  it('keep checkout tokens out of their logs', () => {
    const [, caddy = ''] = /request>uri regexp "([^"]+)"/.exec(read('ops/Caddyfile')) ?? [];
    expect(`/c/${token}/status?version=1`.replace(new RegExp(caddy), '/c/[token]')).toBe('/c/[token]/status?version=1');
    const nginx = read('ops/nginx.conf');
    const [, pattern = ''] = /"~(\^[^"]+)" "/.exec(nginx) ?? [];
    expect(`/c/${token}/pay`).toMatch(new RegExp(pattern));
    expect(new RegExp(pattern).exec(`/c/${token}/pay`)?.groups).toEqual({
      coinslot_before: '/c/',
      coinslot_after: '/pay',
    });
    expect(nginx).not.toMatch(/log_format[^;]*\$request(?:_uri)?\b(?!_)[^;]*;/);
    expect(nginx.match(/^server \{/gm)).toHaveLength(nginx.match(/access_log [^;]+ coinslot;/g)!.length);
  });
});
