import { catalog } from './catalog.ts';
import { en } from './evidence/en.ts';

/** What a studio says to a bank in a dispute. English, which every bank reads. */
export const evidence = catalog({ en });
