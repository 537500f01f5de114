import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { TextPart } from './src/texts/texts.ts';

const SOURCE = fileURLToPath(new URL('src/', import.meta.url));

/** Which source files use the texts of each part. `core` is loaded together with the app chunk. */
export const PART_PATHS: Readonly<Record<TextPart, RegExp>> = {
  core: /^(?:kit|ui|shell|pages\/home)\/|^pages\/not-found\.tsx$|^(?:app|router)\.tsx$/,
  shop: /^pages\/(?:transactions|disputes|figures|orders|attention|players|items|views)\//,
  setup: /^pages\/(?:integration|exam|settings|profile|auth)\//,
};

export const codeFiles = (): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(path => /(?<!\.test)\.tsx?$/.test(path));

const codeOf = (part: TextPart): string =>
  codeFiles()
    .filter(path => PART_PATHS[part].test(path))
    .map(path => readFileSync(join(SOURCE, path), 'utf8'))
    .join('\n');

/** A text is used if the code contains its key, or the start of its key in a template literal. */
export function isNamedIn(code: string, key: string): boolean {
  const stem = key.replace(/_(?:one|other)$/, '');
  const starts = stem.split('.').map((_, at, parts) => `\`${parts.slice(0, at).join('.')}.$`);
  return (
    code.includes(`'${stem}'`) || code.includes(`"${stem}"`) || starts.slice(1).some(start => code.includes(start))
  );
}

/** A text that both shop and setup pages use is put into both files, so that a page waits for only one. */
export function textsByPart(keys: readonly string[]): Record<TextPart, string[]> {
  const [inCore, inShop, inSetup] = (['core', 'shop', 'setup'] as const).map(part => {
    const code = codeOf(part);
    return new Set(keys.filter(key => isNamedIn(code, key)));
  });
  const later = keys.filter(key => !inCore!.has(key));
  const isUnnamed = (key: string): boolean => !inShop!.has(key) && !inSetup!.has(key);
  return {
    core: [...inCore!],
    shop: later.filter(key => inShop!.has(key) || isUnnamed(key)),
    setup: later.filter(key => inSetup!.has(key) || isUnnamed(key)),
  };
}

const isPart = (part: string | undefined): part is TextPart => part !== undefined && Object.hasOwn(PART_PATHS, part);

/** Splits the texts into one file for the shell and the home page, and one for each group of other pages. */
export function splitTexts(): Plugin {
  /** By the keys: every language has the same ones, and looking for them in the code takes a second. */
  const known = new Map<string, Record<TextPart, string[]>>();
  return {
    name: 'split-texts',
    enforce: 'pre',
    buildStart: () => known.clear(),
    load(id) {
      const [file = '', part] = id.split('?');
      if (!/\/texts\/\w+\.json$/.test(file) || !isPart(part)) return null;
      const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      const keys = Object.keys(texts);
      const parts = known.get(keys.join()) ?? textsByPart(keys);
      known.set(keys.join(), parts);
      const wanted = Object.fromEntries(parts[part].map(key => [key, texts[key]]));
      return { code: `export default ${JSON.stringify(wanted)}`, moduleType: 'js' };
    },
  };
}
