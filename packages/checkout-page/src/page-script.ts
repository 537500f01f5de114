import { readFileSync } from 'node:fs';

/** In the order in which they need each other: the page has one script, so imports and exports fall away. */
const FILES = ['field-rules.js', 'card-form.js', 'checkout.js'];

/** Files of their own, so that they are checked, linted and tested as what they are; the same bytes in the source and when built. */
const source = FILES.map(name => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8')).join('\n');

/** Without indentation and whole-line comments: it travels inside every page. */
export const PAGE_SCRIPT = source
  .replace(/^import .*;$/gm, '')
  .replace(/^export (?=async function|function|const)/gm, '')
  .replace(/^\s*(?:\/\/.*|\/\*\*.*\*\/$)?/gm, '')
  .replace(/\n+/g, '\n')
  .trim();
