import { catalog } from './catalog.ts';
import { en } from './signatures/en.ts';

/** What is right or wrong with a signed webhook that a developer pasted. */
export const signatures = catalog({ en });
