// Writes the site into apps/docs/dist, with a list of what is there: the server serves nothing that is not on it.
//   tsx --conditions=source apps/docs/src/main.ts
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite, LOST, SERVED_URL } from './site.ts';

const ROOT = new URL('../../../', import.meta.url);
const DIST = fileURLToPath(new URL('../dist', import.meta.url));

const { version } = JSON.parse(readFileSync(new URL('apps/server/package.json', ROOT), 'utf8')) as { version: string };
const site = await buildSite(ROOT, version);

rmSync(DIST, { recursive: true, force: true });
const files = [...site].map(([url, { type, body }]) => {
  const file = type.startsWith('text/html') ? `${url.slice(1)}.html` : url.slice(1);
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  writeFileSync(join(DIST, file), body);
  return [url, { file, type, namesServer: !type.startsWith('image/') && body.includes(SERVED_URL) }];
});
writeFileSync(
  join(DIST, 'site.json'),
  JSON.stringify({ servedUrl: SERVED_URL, lost: LOST, files: Object.fromEntries(files) }),
);
