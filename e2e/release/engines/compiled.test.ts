/** The package for Unity and the plugin for Unreal, compiled against stubs of the few engine types they use. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import { MONO, missing } from '../debian-packages.ts';

const exec = promisify(execFile);
const ENGINES = fileURLToPath(new URL('../../../engines/', import.meta.url));
const UNITY = join(ENGINES, 'unity');
const UNREAL = join(ENGINES, 'unreal');
const RUNTIME = join(UNITY, 'com.coinslot.checkout/Runtime');
const scratch = mkdtempSync(join(tmpdir(), 'coinslot-engines-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const noMono = await missing(MONO);
const noCompiler = await missing({ probe: ['g++', '--version'], packages: ['g++'] });

const runtime = readdirSync(RUNTIME)
  .filter(name => name.endsWith('.cs'))
  .map(name => join(RUNTIME, name));
const csharp = (out: string, ...args: string[]) =>
  exec('mcs', ['-langversion:7.2', '-warnaserror', `-out:${join(scratch, out)}`, ...args]);

describe(`Unity${noMono ? `; not run without ${noMono}` : ''}`, () => {
  const sample = join(UNITY, 'com.coinslot.checkout/Samples~/Shop/Shop.cs');
  const stubs = join(UNITY, 'stubs/UnityEngine.cs');

  test.skipIf(noMono).each([
    ['a phone or a desktop', []],
    ['the web', ['-define:UNITY_WEBGL']],
  ])('the package and its sample compile for %s without a warning', async (_where, define) => {
    await csharp('game.dll', '-target:library', ...define, stubs, sample, ...runtime);
  });

  test.skipIf(noMono)('links, addresses and JSON are read rightly, without reflection', async () => {
    const parts = ['Links.cs', 'Json.cs'].map(name => join(RUNTIME, name));
    await csharp('tests.exe', ...parts, join(UNITY, 'tests/Tests.cs'));
    expect((await exec('mono', [join(scratch, 'tests.exe')])).stdout).toBe('OK\n');
    for (const file of runtime)
      expect(readFileSync(file, 'utf8')).not.toMatch(/System\.Reflection|dynamic |JsonUtility/);
  });

  test('a web build opens its tab in the tap, leads it to the page, and goes there itself when the tab was refused', () => {
    const seen: string[] = [];
    const tab = { closed: false, opener: 'game', location: { replace: (page: string) => seen.push(`tab ${page}`) } };
    const location = { assign: (page: string) => seen.push(`game ${page}`) };
    let given: typeof tab | null = tab;
    const window = { open: () => given, location };
    const library: Record<string, (text?: string) => void> = {};
    const mergeInto = (_library: object, parts: object): void => void Object.assign(library, parts);
    const context = createContext({ window, mergeInto, LibraryManager: {}, UTF8ToString: (text: string) => text });
    runInContext(readFileSync(join(RUNTIME, 'Plugins/WebGL/Coinslot.jslib'), 'utf8'), context);
    library.CoinslotOpenTab?.();
    library.CoinslotLeadTab?.('https://pay.example.com/1');
    given = null;
    library.CoinslotOpenTab?.();
    library.CoinslotLeadTab?.('https://pay.example.com/2');
    expect(seen).toEqual(['tab https://pay.example.com/1', 'game https://pay.example.com/2']);
    expect(tab.opener).toBeNull();
  });
});

describe('the web', () => {
  const guide = readFileSync(join(ENGINES, '../docs/guides/web-games.md'), 'utf8');
  const [, code = ''] = /^```js file=checkout\.js\n(.*?)^```$/ms.exec(guide) ?? [];
  interface Shop {
    buy(sku: string, options: object): Promise<void>;
  }

  /** Buys with the guide's code in a browser that gives these answers, and says what happened in its order. */
  async function bought(answers: (object | null)[], isTabAllowed = true): Promise<string[]> {
    const { buy } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Shop;
    const seen: string[] = [];
    const tab = {
      opener: 'game',
      close: () => seen.push('closed'),
      location: { replace: (to: string) => seen.push(`tab ${to}`) },
    };
    const window = {
      open: () => {
        seen.push('opened');
        return isTabAllowed ? tab : null;
      },
      fetch: async (path: string) => {
        seen.push(path);
        const answer = answers.shift();
        if (!answer) throw new TypeError('Failed to fetch');
        return { json: async () => answer };
      },
      location: { assign: (to: string) => seen.push(`game ${to}`) },
      setTimeout: (next: () => void) => queueMicrotask(next),
    };
    const note =
      (what: string) =>
      (...words: string[]) =>
        void seen.push([what, ...words].join(' '));
    await buy('gem', { window, onGranted: note('granted'), onEnded: note('ended'), onFailed: note('failed') });
    return seen;
  }
  const order = { orderId: 'ord_1', checkoutUrl: 'https://pay.example.com/1' };

  test('the tab is opened in the tap, before the backend is asked, and the items are there when the backend says so', async () => {
    expect(await bought([order, { status: 'pending' }, null, { status: 'paid' }])).toEqual([
      'opened',
      '/api/buy',
      'tab https://pay.example.com/1',
      ...Array.from({ length: 3 }, () => '/api/orders/ord_1'),
      'granted ord_1',
    ]);
  });

  test('a refused tab, a refused sale, a page without encryption and a lost backend are told', async () => {
    expect((await bought([order, { status: 'expired' }], false)).slice(2)).toEqual([
      'game https://pay.example.com/1',
      '/api/orders/ord_1',
      'ended ord_1 expired',
    ]);
    expect((await bought([{ problem: 'Sold out.' }])).slice(2)).toEqual(['closed', 'failed Sold out.']);
    expect((await bought([{ checkoutUrl: 'http://pay.example.com' }])).at(-1)).toBe(
      'failed The shop gave no payment page.',
    );
    expect((await bought([null])).at(-1)).toBe('failed The shop cannot be reached.');
  });
});

describe(`Unreal${noCompiler ? `; not run without ${noCompiler}` : ''}`, () => {
  test.skipIf(noCompiler)('the plugin has right syntax and types', async () => {
    const folder = join(UNREAL, 'Coinslot/Source/Coinslot');
    const sources = readdirSync(join(folder, 'Private')).map(name => join(folder, 'Private', name));
    const include = [`-I${join(UNREAL, 'stubs')}`, `-I${join(folder, 'Public')}`];
    await exec('g++', ['-std=c++17', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', ...include, ...sources]);
  });
});

test('all of them carry the version of the server', () => {
  const read = (file: string): string => readFileSync(join(ENGINES, file), 'utf8');
  const { version } = JSON.parse(read('../package.json')) as { version: string };
  expect(JSON.parse(read('unity/com.coinslot.checkout/package.json'))).toMatchObject({ version });
  expect(JSON.parse(read('unreal/Coinslot/Coinslot.uplugin'))).toMatchObject({ VersionName: version });
  for (const folder of ['godot', 'godot3'])
    expect(read(`${folder}/addons/coinslot/plugin.cfg`)).toContain(`version="${version}"`);
});
