import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParseResult, parseSync } from 'vite';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const SERVER = 'apps/server/src';

export interface Source {
  path: string;
  text: string;
  lines: string[];
  program: ParseResult['program'];
  /** Files of this repository, from its root. */
  imports: string[];
  /** Names that it declares and exports. */
  declared: string[];
}

const NOT_OURS = new Set(['node_modules', 'dist', 'data', 'coverage']);

export function listFiles(folder: string, names: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (NOT_OURS.has(entry.name) || entry.name.startsWith('.')) return [];
    if (entry.isDirectory()) return listFiles(path, names);
    return names.test(entry.name) ? [path] : [];
  });
}

/** Everything a file leans on: imports with and without names, exports from elsewhere, imports at run time, workers. */
function importedBy(path: string, text: string, { module }: ParseResult): string[] {
  const names = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ...[...text.matchAll(/new URL\('(\.[^']+\.[jt]s)'/g)].map(([, name]) => name),
  ];
  const own = names.filter(name => name?.startsWith('.')).map(name => resolve(ROOT, dirname(path), name!));
  return [...new Set(own)].map(target => relative(ROOT, target));
}

export function readSource(path: string, text = readFileSync(join(ROOT, path), 'utf8')): Source {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path} does not parse: ${parsed.errors[0]!.message}`);
  const imports = importedBy(path, text, parsed);
  const declared = parsed.module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, exportName: { name } }) =>
      moduleRequest === null && name !== null ? [name] : [],
    ),
  );
  return {
    path,
    text,
    lines: text.split('\n'),
    // Made of the parser's bytes only when a rule asks for it: that takes far longer than the parsing.
    get program() {
      return parsed.program;
    },
    imports,
    declared,
  };
}

export const sources = ['apps', 'packages', 'tools', 'e2e', 'bench']
  .flatMap(folder => listFiles(folder, /(?<!\.d)\.(?:ts|tsx|mjs)$/))
  .map(path => readSource(path));

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.includes('/testing/');

export const product = sources.filter(({ path }) => !isTest(path) && /^(?:apps|packages)\//.test(path));
export const server = product.filter(({ path }) => path.startsWith(SERVER));

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

export const offenses = (rule: (source: Source) => string[], among = product): string[] =>
  among.flatMap(source => rule(source).map(what => `${source.path}: ${what}`));

export const lineOffenses = (pattern: RegExp, isAllowed: (path: string) => boolean, among = server): string[] =>
  offenses(
    ({ path, lines }) =>
      isAllowed(path) ? [] : lines.flatMap((line, i) => (pattern.test(line) ? [`line ${i + 1}: ${line.trim()}`] : [])),
    among,
  );

export const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some(folder => path === folder || path.startsWith(`${folder}/`));
