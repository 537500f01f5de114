import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONNECTION_CHECKS } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../apps/server/src/domain/payment/providers/simulator/test-cards.ts';
import { SETTINGS } from '../apps/server/src/settings/config.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const NOT_OURS = new Set(['node_modules', 'dist', 'build', 'data', 'coverage']);

function* documentsIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (NOT_OURS.has(entry.name) || entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* documentsIn(path);
    else if (entry.name.endsWith('.md')) yield path;
  }
}

const documents = [...documentsIn('')];

/** Not in the repository: there once a program has run, or a name to be made up. */
const NOT_THERE = new Set([
  'data/',
  'dist/',
  'build/release',
  'build/nuget',
  'NOTES.md',
  'bench/results/',
  'NNNN_what-it-does.sql',
  'docs/guides/what-to-do.md',
]);

const withoutCode = (text: string): string => text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');

/** As GitHub makes them: lower case, punctuation gone, spaces to hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string): Set<string> => {
  const text = read(path).replace(/^```.*?^```$/gms, '');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
};

const linksOf = (path: string): string[] => {
  const text = withoutCode(read(path));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|href)="([^"]+)"/g)];
  return links.map(([, link = '']) => link).filter(link => !/^(https?|mailto):/.test(link));
};

function problemOf(document: string, link: string): string | null {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? document : join(dirname(document), file);
  if (!existsSync(join(ROOT, path))) return `${link} leads nowhere`;
  if (anchor && !anchorsOf(path).has(anchor)) return `${link} names no heading of ${path}`;
  return null;
}

describe('the guide for connection checks', () => {
  it('has a section for each check, where the dashboard links to', () => {
    const anchors = anchorsOf('docs/guides/connection-checks.md');
    expect(CONNECTION_CHECKS.filter(check => !anchors.has(check.replaceAll('_', '-')))).toEqual([]);
    expect(read('apps/dashboard/src/pages/settings/connection-checks.tsx')).toContain(
      '/docs/guides/connection-checks#',
    );
  });
});

describe('every document', () => {
  it.each(documents)('%s has links that lead somewhere', path => {
    const problems = linksOf(path).map(link => problemOf(path, link));
    expect(problems.filter(problem => problem !== null)).toEqual([]);
  });
});

/** Documents about the code itself. Guides name files of their readers. */
const ABOUT_CODE = documents.filter(
  path => !path.startsWith('docs/guides/') && !path.startsWith('examples/') && path !== 'CHANGELOG.md',
);

function* pathsIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (NOT_OURS.has(entry.name) || entry.name === '.git') continue;
    yield `/${path}${entry.isDirectory() ? '/' : ''}`;
    if (entry.isDirectory()) yield* pathsIn(path);
  }
}

/** Every end of every path, so that a document may name `advance-purchase.ts` or `db/batching/`. */
const ENDS = new Set(
  [...pathsIn('')].flatMap(path => {
    const parts = path.slice(1).split('/');
    return parts.map((_, from) => parts.slice(from).join('/')).filter(end => end !== '');
  }),
);

const PATH = /^[\w@.-]+(?:\/[\w@.-]+)*(?:\/|\.(?:ts|tsx|mjs|sql|svg|md))$/;

/** What is between backticks, and the first word of each line of a drawn tree. */
const pathsNamedIn = (text: string): string[] => {
  const trees = [...text.matchAll(/^```\n(.*?)^```$/gms)].flatMap(([, tree = '']) => tree.split('\n'));
  const words = trees.map(line => line.trim().split(/\s/)[0] ?? '');
  const spans = [...text.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\s]+)`/g)].map(([, span = '']) => span);
  return [...spans, ...words].filter(word => PATH.test(word));
};

describe('a document about the code', () => {
  it.each(ABOUT_CODE)('%s names only files and folders that exist', path => {
    const named = pathsNamedIn(read(path)).map(one => one.replace(/^\.{1,2}\//, ''));
    expect(named.filter(one => !ENDS.has(one) && !NOT_THERE.has(one))).toEqual([]);
  });
});

describe('the README', () => {
  const readme = read('README.md');
  const sectionOf = (heading: string): string => {
    const [, after = ''] = readme.split(`\n## ${heading}\n`);
    const [section = ''] = after.split('\n## ');
    return section;
  };

  it('lists every test card there is, and no other', () => {
    const rows = sectionOf('Test cards').matchAll(/^\| ([\d ]+) \|/gm);
    const numbers = [...rows].map(([, number = '']) => number.replaceAll(' ', ''));
    expect(numbers).toEqual(TEST_CARDS.map(card => card.number));
  });

  it('names only settings that exist', () => {
    const rows = sectionOf('Settings').matchAll(/^\| `(\w+)` \|/gm);
    const known = new Set<string>(SETTINGS.map(setting => setting.name));
    expect([...rows].map(([, name = '']) => name).filter(name => !known.has(name))).toEqual([]);
  });
});

describe('the npm commands', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const texts = documents.map(read).join('\n');
  /** What the runner says when it is asked for one that there is not. */
  const namesOf = (script: string): string[] => {
    const { status, stderr } = spawnSync(process.execPath, ['tools/run.mjs', script, 'none'], { cwd: ROOT });
    expect(status).toBe(2);
    return /There are: (.+)\./.exec(stderr.toString())?.[1]?.split(', ') ?? [];
  };

  it('are few enough to be read', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(30);
  });

  it('that a document names exist', () => {
    const used = [...texts.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(used.filter(name => !(name in scripts))).toEqual([]);
  });

  it.each(['bench', 'lab'])('run every %s that a document names', script => {
    const used = [...texts.matchAll(new RegExp(`\\bnpm run ${script} -- ([a-z][a-z-]*)`, 'g'))].map(([, name]) => name);
    const names = namesOf(script);
    expect(used.filter(name => !names.includes(name!))).toEqual([]);
  });
});

describe('the decisions', () => {
  const records = documents.filter(path => /^docs\/adr\/\d{4}-/.test(path));

  it('are all listed in their index', () => {
    const index = linksOf('docs/adr/README.md');
    expect(records.filter(path => !index.includes(path.slice('docs/adr/'.length)))).toEqual([]);
  });

  it.each(records)('%s says context, decision, consequences and alternatives', path => {
    const headings = [...read(path).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Context', 'Decision', 'Consequences', 'Alternatives considered']);
  });
});
