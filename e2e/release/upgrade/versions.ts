/** Programs of several versions: each a folder like the one that is packed, with migrations of its own. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releasesIn } from '../../../tools/release/released.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PARTS = [
  'apps/server/dist',
  'apps/server/migrations',
  'apps/server/package.json',
  'apps/dashboard/dist',
  'apps/docs/dist',
  'ops',
];

export interface Version {
  name: string;
  /** Its `main.js`. */
  program: string;
}

export interface NextVersion {
  name: string;
  /** Migrations that it adds, by file name without the number. */
  migrations: Record<string, string>;
  /** What it writes otherwise than the version before: each text of the program, and what stands in its place. */
  changes?: readonly (readonly [from: string, to: string])[];
}

const programIn = (folder: string): string => join(folder, 'apps/server/dist/main.js');

function copyProgram(from: string, to: string): void {
  for (const part of PARTS)
    if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true });
  for (const modules of ['node_modules', 'apps/server/node_modules'])
    if (existsSync(join(from, modules))) symlinkSync(join(from, modules), join(to, modules));
}

/** The last release, built from its tag; the program of this commit while there is none, or where the clone has no tags. */
export function oldVersion(scratch: string): Version {
  const last = releasesIn(ROOT).at(-1)?.version;
  const tag = `v${last}`;
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const folder = join(scratch, 'old');
  mkdirSync(folder);
  if (last === undefined || git('tag', '--list', tag) === '') {
    copyProgram(ROOT, folder);
    return { name: 'the program of this commit', program: programIn(folder) };
  }
  const archive = execFileSync('git', ['archive', '--format=tar', tag], { cwd: ROOT, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  execFileSync(process.execPath, ['tools/prepare.mjs', 'start'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { name: `Coinslot ${last}`, program: programIn(folder) };
}

const fourDigits = (number: number): string => String(number).padStart(4, '0');
const numberOf = (name: string): number => Number(name.slice(0, 4));

export const newestMigration = (folder: string): number =>
  Math.max(
    ...readdirSync(folder)
      .filter(name => name.endsWith('.sql'))
      .map(numberOf),
  );

function change(dist: string, [from, to]: readonly [string, string]): void {
  let found = 0;
  for (const name of readdirSync(dist).filter(file => file.endsWith('.js'))) {
    const text = readFileSync(join(dist, name), 'utf8');
    if (!text.includes(from)) continue;
    writeFileSync(
      join(dist, name),
      text.replaceAll(from, () => to),
    );
    found += 1;
  }
  if (found === 0) throw new Error(`the program has no ${from}`);
}

const migrationsOf = ({ program }: Version): string => join(dirname(program), '../migrations');

/**
 * The program of this commit with more migrations, numbered after its own; `NNNN` in a text is the last number before them, `OLD` the last that
 * the old version knows, which may have been released some migrations ago.
 */
export function nextVersion(scratch: string, { name, migrations, changes = [] }: NextVersion, old: Version): Version {
  const folder = join(scratch, name);
  mkdirSync(folder);
  copyProgram(ROOT, folder);
  const files = join(folder, 'apps/server/migrations');
  const base = newestMigration(files);
  for (const [i, [file, text]] of Object.entries(migrations).entries()) {
    const number = (plus: number): string => fourDigits(base + plus);
    const numbered = text
      .replaceAll('OLD', fourDigits(newestMigration(migrationsOf(old))))
      .replaceAll(/NNNN(?:\+(\d+))?/g, (_all, plus) => number(Number(plus ?? 0)));
    writeFileSync(join(files, `${number(i + 1)}_${file}.sql`), numbered);
  }
  for (const one of changes) change(join(folder, 'apps/server/dist'), one);
  return { name, program: programIn(folder) };
}
