import { readFileSync } from 'node:fs';

/** In dependency order, because they are joined into one script without imports and exports. */
const FILES = ['field-rules.js', 'card-form.js', 'checkout.js'];
/** Live pages need more; sandbox pages carry none of it. */
const LIVE_FILES = [...FILES, 'provider-form.js', 'live.js'];

/** Real files, so that they are type-checked, linted and tested; source and build use the same bytes. */
const read = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');

/** Strips indentation and whole-line comments, because it is part of every page. */
const join = (files: readonly string[]): string =>
  files
    .map(read)
    .join('\n')
    .replace(/^import .*;$/gm, '')
    .replace(/^export (?=async function|function|const)/gm, '')
    .replace(/^\s*(?:\/\/.*|\/\*\*.*\*\/$)?/gm, '')
    .replace(/\n+/g, '\n')
    .trim();

export const PAGE_SCRIPT = join(FILES);
export const LIVE_SCRIPT = join(LIVE_FILES);
