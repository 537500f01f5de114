import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCE = fileURLToPath(new URL('src/', import.meta.url));
/** What is in the app's first file; every other page waits for all texts. */
const FIRST = /^(?:kit|ui|shell|pages\/home)\/|^pages\/not-found\.tsx$|^(?:app|router)\.tsx$/;

const isCode = (path: string): boolean => /(?<!\.test)\.tsx?$/.test(path);

export const firstCode = (): string =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter(path => isCode(path) && FIRST.test(path))
    .map(path => readFileSync(join(SOURCE, path), 'utf8'))
    .join('\n');

/** Whether the code names the text, or the beginning of its name in a template. */
export function isNamedIn(code: string, key: string): boolean {
  const stem = key.replace(/_(?:one|other)$/, '');
  const starts = stem.split('.').map((_, at, parts) => `\`${parts.slice(0, at).join('.')}.$`);
  return (
    code.includes(`'${stem}'`) || code.includes(`"${stem}"`) || starts.slice(1).some(start => code.includes(start))
  );
}

/** Splits the texts: what the first page says comes first, the rest while the member reads it. */
export function firstTexts(): Plugin {
  return {
    name: 'first-texts',
    enforce: 'pre',
    load(id) {
      const [file = '', part] = id.split('?');
      if (!/\/texts\/\w+\.json$/.test(file) || (part !== 'first' && part !== 'rest')) return null;
      const code = firstCode();
      const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
      const wanted = Object.fromEntries(texts.filter(([key]) => isNamedIn(code, key) === (part === 'first')));
      return { code: `export default ${JSON.stringify(wanted)}`, moduleType: 'js' };
    },
  };
}
