import { readFileSync } from 'node:fs';

/** In the order in which they need each other: the page has one script, so imports and exports fall away. */
const FILES = ['field-rules.js', 'card-form.js', 'checkout.js'];
/** Live adds to it; sandbox carries none of that. */
const LIVE_FILES = [...FILES, 'provider-form.js', 'live.js'];

/** Files of their own, so that they are checked, linted and tested as what they are; the same bytes in the source and when built. */
const read = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');

/** Without indentation and whole-line comments: it travels inside every page. */
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
