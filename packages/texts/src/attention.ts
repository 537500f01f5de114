import { en } from './attention/en.ts';
import { catalog } from './catalog.ts';

/** Why a payment or an order waits, was rejected or was returned, as its record says it to the studio's members. */
export const attention = catalog({ en });
