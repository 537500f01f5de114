import { catalog } from './catalog.ts';
import { en } from './differences/en.ts';

/** What the daily comparison with a provider found, and what a studio member can do about it. */
export const differences = catalog({ en });
