import { readFileSync } from 'node:fs';

/** A file of its own, so that it is checked, linted and read as what it is; the same bytes in the source and when built. */
const source = readFileSync(new URL('./browser/checkout.js', import.meta.url), 'utf8');

/** Without indentation and whole-line comments: it travels inside every page. */
export const PAGE_SCRIPT = source
  .replace(/^\s*(?:\/\/.*|\/\*\*.*\*\/$)?/gm, '')
  .replace(/\n+/g, '\n')
  .trim();
