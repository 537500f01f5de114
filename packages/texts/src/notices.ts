import { catalog } from './catalog.ts';
import { de } from './notices/de.ts';
import { en } from './notices/en.ts';

/** What mails about a game's troubles say to the studio's people, in the languages of the dashboard. */
export const notices = catalog({ en, de });
