/** Mails in three engines: whole at every width, light and dark, with readable buttons. Pictures in `build/gallery/mails`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { contrast } from '@coinslot/checkout-page';
import { SENT_MAILS } from '@coinslot/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleMail } from '../../../apps/server/src/domain/notification/sample-mails.ts';
import { renderMail } from '../../../apps/server/src/mail/render-mail.ts';
import type { Engine } from './engine.ts';
import { ENGINES } from './engines.ts';

const FOLDER = fileURLToPath(new URL('../../../build/gallery/mails/', import.meta.url));
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#1d4ed8"/></svg>';
const NO_SELLER = {
  legal_name: null,
  address: null,
  country: null,
  registration_number: null,
  tax_number: null,
  support: null,
  terms_url: null,
  privacy_url: null,
  refund_url: null,
};

let server: Server;
let origin: string;

/** `/mail/THEME/LOCALE/ACCENT/KIND` */
function mailAt(path: string): string {
  const [, , theme, locale, accent, kind] = path.split('/');
  const mail = SENT_MAILS.find(one => one === kind)!;
  const game = {
    gameId: 'game_1',
    name: locale === 'ar' ? 'قلعة المغامرات' : 'Castle Quest',
    iconUrl: '/icon.svg',
    logoUrl: `${origin}/icon.svg`,
    accentColor: `#${accent}`,
  };
  const company = { name: 'Northwind Games', seller: NO_SELLER };
  const content = sampleMail(mail, { publicUrl: origin, company, game, locale: locale!, now: new Date(0) });
  return renderMail(content, theme as 'light' | 'dark').html;
}

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  server = createServer((message, response) => {
    const isIcon = message.url === '/icon.svg';
    response.setHeader('content-type', isIcon ? 'image/svg+xml' : 'text/html; charset=utf-8');
    response.end(isIcon ? ICON : mailAt(message.url ?? ''));
  });
  await new Promise<void>(ready => {
    server.listen(0, '127.0.0.1', ready);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Seen {
  isWide: boolean;
  pictures: boolean[];
  button: [string, string] | null;
  card: string;
}

const SEEN = `(() => {
  const button = document.querySelector('.button');
  const style = button && getComputedStyle(button);
  return {
    isWide: document.documentElement.scrollWidth > innerWidth,
    pictures: [...document.images].map(one => one.naturalWidth > 0),
    button: style && [style.backgroundColor, style.color],
    card: getComputedStyle(document.querySelector('.card')).backgroundColor,
  };
})()`;

/** WebKit takes its picture with the next frame, and a still page draws none. */
const REPAINT = `void setInterval(() => { document.body.style.paddingBottom = Math.random() + 'px'; }, 50)`;

const hex = (color: string): string =>
  `#${[...color.matchAll(/\d+/g)]
    .slice(0, 3)
    .map(([part]) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;

describe.each(ENGINES)('$name', ({ name, start, lacks }) => {
  const run = lacks === null ? test : test.skip;
  let viewer: Engine;

  beforeAll(async () => {
    if (lacks === null) viewer = await start();
  });
  afterAll(() => viewer?.close());

  run.each([
    ['receipt', 'en', '0f766e'],
    ['receipt', 'ar', 'f7f7f7'],
    ['passwordReset', 'de', '10131a'],
    ['attention', 'en', 'c8102e'],
  ])(
    `shows %s in %s with #%s whole, light and dark${lacks === null ? '' : ` (left out: ${lacks})`}`,
    async (...about) => {
      const [kind, locale, accent] = about;
      for (const theme of ['light', 'dark'] as const) {
        await viewer.open(`${origin}/mail/${theme}/${locale}/${accent}/${kind}`);
        const seen = await viewer.evaluate<Seen>(SEEN);
        expect(seen).toMatchObject({ isWide: false, pictures: [true, true] });
        expect(hex(seen.card)).toBe(theme === 'light' ? '#ffffff' : '#1a1f2a');
        if (seen.button) expect(contrast(hex(seen.button[0]), hex(seen.button[1]))).toBeGreaterThanOrEqual(4.5);
        await viewer.evaluate(REPAINT);
        writeFileSync(`${FOLDER}${name}-${kind}-${locale}-${theme}.png`, await viewer.picture());
      }
    },
  );
});
