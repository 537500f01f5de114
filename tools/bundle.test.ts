import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleServer } from './bundle.mjs';

const out = mkdtempSync(join(tmpdir(), 'coinslot-bundle-'));
afterAll(() => rmSync(out, { recursive: true }));

const notes = (): string[][] => JSON.parse(readFileSync(join(out, 'builds.json'), 'utf8'));

describe('the bundle', () => {
  it('keeps what a program that still runs may load late, for five builds, and nothing else (row 127)', async () => {
    writeFileSync(join(out, 'of-no-build.js'), '');
    writeFileSync(join(out, 'of-an-earlier-build.js'), '');
    const earlier = Array.from({ length: 4 }, () => ['of-an-earlier-build.js']);
    writeFileSync(join(out, 'builds.json'), JSON.stringify(earlier));
    await bundleServer({ out, withPackages: false });
    expect(readdirSync(out)).toEqual(expect.arrayContaining(['main.js', 'main.js.map', 'of-an-earlier-build.js']));
    expect(readdirSync(out)).not.toContain('of-no-build.js');
    writeFileSync(join(out, 'builds.json'), JSON.stringify([notes()[0], notes()[0], notes()[0], ...earlier]));
    await bundleServer({ out, withPackages: false });
    expect(notes()).toHaveLength(5);
    writeFileSync(join(out, 'builds.json'), JSON.stringify(notes().map(() => notes()[0])));
    await bundleServer({ out, withPackages: false });
    expect(readdirSync(out)).not.toContain('of-an-earlier-build.js');
  });

  it('that is published names its packages and has none of their code, and looks for files beside its sources', () => {
    const code = readdirSync(out)
      .filter(name => name.endsWith('.js'))
      .map(name => readFileSync(join(out, name), 'utf8'));
    const all = code.join('\n');
    expect(all).toMatch(/from "fastify"/);
    expect(all).not.toMatch(/from "@coinslot\//);
    expect(all).not.toMatch(/\/\/#region .*node_modules/);
    expect(all).toContain('"../../migrations/", new URL("../src/db/migrate.ts", import.meta.url)');
  });
});
