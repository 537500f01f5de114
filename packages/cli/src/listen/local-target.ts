import { UsageError } from '../exit-codes.ts';

/** `http://localhost:3000/webhook`, `localhost:3000/webhook` or just `3000`. */
export function readTarget(text: string): URL {
  const given = /^\d{1,5}(?=\/|$)/.test(text) ? `localhost:${text}` : text;
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new UsageError(
      `--forward-to is the address of your local server, not ${JSON.stringify(text.slice(0, 80))}.`,
      'It looks like http://localhost:3000/webhook',
    );
  }
  if (url.username || url.password) throw new UsageError('--forward-to must not contain a user name or password.');
  return url;
}
