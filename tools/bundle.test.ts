import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { APART, bundleServer } from './bundle.mjs';

const out = mkdtempSync(join(tmpdir(), 'coinslot-bundle-'));
afterAll(() => rmSync(out, { recursive: true }));

const notes = (): string[][] => JSON.parse(readFileSync(join(out, 'builds.json'), 'utf8'));

describe('the bundle', () => {
  it('keeps what a program that still runs may load late, for five builds, and nothing else (row 127)', async () => {
    writeFileSync(join(out, 'of-no-build.js'), '');
    writeFileSync(join(out, 'of-an-earlier-build.js'), '');
    const earlier = Array.from({ length: 4 }, () => ['of-an-earlier-build.js']);
    writeFileSync(join(out, 'builds.json'), JSON.stringify(earlier));
    await bundleServer({ out });
    expect(readdirSync(out)).toEqual(expect.arrayContaining(['main.js', 'main.js.map', 'of-an-earlier-build.js']));
    expect(readdirSync(out)).not.toContain('of-no-build.js');
    writeFileSync(join(out, 'builds.json'), JSON.stringify([notes()[0], notes()[0], notes()[0], ...earlier]));
    await bundleServer({ out });
    expect(notes()).toHaveLength(5);
    writeFileSync(join(out, 'builds.json'), JSON.stringify(notes().map(() => notes()[0])));
    await bundleServer({ out });
    expect(readdirSync(out)).not.toContain('of-an-earlier-build.js');
  });

  it('names only the packages that stay apart, and looks for files beside its sources', () => {
    const code = readdirSync(out)
      .filter(name => name.endsWith('.js'))
      .map(name => readFileSync(join(out, name), 'utf8'));
    const all = code.join('\n');
    const named = [...all.matchAll(/^import .*?from "((?!node:|\.)[^"]+)";$/gm)].map(([, name = '']) => name);
    expect(named.filter(name => !isBuiltin(name) && !APART.test(name))).toEqual([]);
    expect(all).toContain('"../../migrations/", new URL("../src/db/migrate.ts", import.meta.url)');
  });
});
