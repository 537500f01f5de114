import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { TextPart } from './src/texts/texts.ts';

const SOURCE = fileURLToPath(new URL('src/', import.meta.url));

/** What says the texts of a part: the first is what is in the app's one file. */
export const ROOMS: Readonly<Record<TextPart, RegExp>> = {
  first: /^(?:kit|ui|shell|pages\/home)\/|^pages\/not-found\.tsx$|^(?:app|router)\.tsx$/,
  shop: /^pages\/(?:transactions|disputes|orders|attention|players|items)\//,
  setup: /^pages\/(?:integration|exam|settings|profile|entrance)\//,
};

export const codeFiles = (): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(path => /(?<!\.test)\.tsx?$/.test(path));

export const codeOf = (part: TextPart): string =>
  codeFiles()
    .filter(path => ROOMS[part].test(path))
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

/** A text that both kinds of pages say is in the files of both, so that a page waits for one. */
export function divideTexts(keys: readonly string[]): Record<TextPart, string[]> {
  const [inFirst, inShop, inSetup] = (['first', 'shop', 'setup'] as const).map(part => {
    const code = codeOf(part);
    return new Set(keys.filter(key => isNamedIn(code, key)));
  });
  const later = keys.filter(key => !inFirst!.has(key));
  const isUnnamed = (key: string): boolean => !inShop!.has(key) && !inSetup!.has(key);
  return {
    first: [...inFirst!],
    shop: later.filter(key => inShop!.has(key) || isUnnamed(key)),
    setup: later.filter(key => inSetup!.has(key) || isUnnamed(key)),
  };
}

const isPart = (part: string | undefined): part is TextPart => part !== undefined && Object.hasOwn(ROOMS, part);

/** Divides the texts: what the first page says comes first, what another says comes with it. */
export function firstTexts(): Plugin {
  return {
    name: 'first-texts',
    enforce: 'pre',
    load(id) {
      const [file = '', part] = id.split('?');
      if (!/\/texts\/\w+\.json$/.test(file) || !isPart(part)) return null;
      const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      const wanted = Object.fromEntries(divideTexts(Object.keys(texts))[part].map(key => [key, texts[key]]));
      return { code: `export default ${JSON.stringify(wanted)}`, moduleType: 'js' };
    },
  };
}
