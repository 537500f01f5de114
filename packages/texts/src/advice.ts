import { de } from './advice/de.ts';
import { en } from './advice/en.ts';
import { catalog, type InEach } from './catalog.ts';

/** What a studio member can do about a payment provider's problem, in the languages of the dashboard. */
export const advice = catalog({ en, de });

export type AdviceKey = keyof typeof en;

/** The same advice in every language of the dashboard. */
export type Advice = InEach<keyof typeof advice.languages>;
