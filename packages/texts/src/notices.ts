import { catalog } from './catalog.ts';
import { en } from './notices/en.ts';

/** What mails about a game's troubles say to the studio's people; in English, as the facts in them are. */
export const notices = catalog({ en });
