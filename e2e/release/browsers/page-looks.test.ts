/** The page of the player in three engines at four widths. Pictures in `build/gallery/engines`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CheckoutView } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { base, type SamplePage, startSamplePage } from '../../sample-page.ts';
import { type Engine, until } from './engine.ts';
import { ENGINES } from './engines.ts';

const FOLDER = fileURLToPath(new URL('../../../build/gallery/engines/', import.meta.url));
const WIDTHS = [360, 390, 460, 1440] as const;
const HEIGHT = 844;
/** From here on the page is a card on a surface. */
const CARD_WIDTH = 480;

const STATES: Record<string, CheckoutView> = {
  ready: GALLERY.ready,
  saved: GALLERY['ready, live, simulated, saved'],
  wallets: GALLERY['ready, live, simulated, not refundable'],
  declined: GALLERY.declined,
  asking: GALLERY['asking, may close'],
  refunded: GALLERY.refunded,
};

/** Debian's WebKit has a toolbar that keeps its window from being narrower: phones stand in a frame of it. */
const NARROWEST = { Chromium: 0, Firefox: 0, WebKit: 448 };

let sample: SamplePage;
let framed: { origin: string; server: Server };

/** The same page where a frame may show it, which its policy forbids. */
async function startFramed(target: string): Promise<typeof framed> {
  const server = createServer((message, response) => {
    const url = new URL(message.url ?? '/', target);
    const frame = `<body style="margin:0"><iframe style="border:0" width="${url.searchParams.get('width')}" height="${HEIGHT}" src="${base}"></iframe>`;
    const answer = async (): Promise<void> => {
      if (url.pathname === '/frame') return void response.setHeader('content-type', 'text/html').end(frame);
      const from = await fetch(url);
      const policy = from.headers.get('content-security-policy') ?? '';
      response.setHeader('content-type', from.headers.get('content-type') ?? '');
      response.setHeader('content-security-policy', policy.replace(/; frame-ancestors 'none'/, ''));
      response.end(Buffer.from(await from.arrayBuffer()));
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>(ready => {
    server.listen(0, '127.0.0.1', ready);
  });
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  sample = await startSamplePage();
  framed = await startFramed(sample.origin);
});
afterAll(async () => {
  framed?.server.closeAllConnections();
  framed?.server.close();
  await sample?.close();
});

interface Seen {
  width: number;
  isWide: boolean;
  /** How far it is from the edges to where the page begins and ends. */
  band: [number, number] | null;
  /** How high the button of the test cards is: two lines are 46. */
  testCards: number | null;
  language: [number, number, string];
}

const SEEN = `(() => {
  const page = frames[0] ?? window;
  const { document } = page;
  const width = document.documentElement.clientWidth;
  const box = selector => document.querySelector(selector)?.getBoundingClientRect();
  const select = document.querySelector('#language');
  const place = select.getBoundingClientRect();
  const style = page.getComputedStyle(select);
  const band = box('.sandbox');
  return {
    width: page.innerWidth,
    isWide: document.documentElement.scrollWidth > page.innerWidth,
    // A desktop's bar for scrolling is no part of the page.
    band: band ? [band.left, band.right - width] : null,
    testCards: box('.sandbox summary')?.height ?? null,
    language: [Math.round(place.width), Math.round(place.height), style.appearance || style.webkitAppearance],
  };
})()`;

/** WebKit takes its picture with the next frame, and a still page draws none. */
const REPAINT = `void setInterval(() => { document.body.style.paddingBottom = Math.random() + 'px'; }, 50)`;

const still = (view: CheckoutView): CheckoutView =>
  'backToGameUrl' in view ? { ...view, backToGameUrl: null, renewInSeconds: null } : view;

describe.each(ENGINES)('$name', ({ name, start, lacks }) => {
  const run = lacks === null ? test : test.skip;
  const why = lacks === null ? '' : ` (left out: ${lacks})`;
  let engine: Engine;

  beforeAll(async () => {
    if (lacks === null) engine = await start();
  });
  afterAll(() => engine?.close());

  async function show(view: CheckoutView, address = sample.origin + base): Promise<void> {
    await engine.open(`${sample.origin}/elsewhere`);
    sample.show(still(view));
    await engine.open(address);
    await until(engine, `(frames[0] ?? window).document.querySelector('main')`);
  }

  run.each(WIDTHS)(`the page is whole at %i px, and looks the same${why}`, async width => {
    const isFramed = width < NARROWEST[name];
    await engine.resize(Math.max(width, NARROWEST[name]), HEIGHT);
    for (const [state, view] of Object.entries(STATES)) {
      await show(view, isFramed ? `${framed.origin}/frame?width=${width}` : undefined);
      const seen = await engine.evaluate<Seen>(SEEN);
      expect([state, seen]).toMatchObject([state, { isWide: false, width }]);
      if (seen.band && width < CARD_WIDTH) expect(seen.band).toEqual([0, 0]);
      if (seen.testCards !== null) expect(seen.testCards).toBeLessThan(40);
      // 12 em of 14 pixels, in every engine.
      expect(seen.language).toEqual([168, expect.closeTo(34, -1), 'none']);
      await engine.evaluate(REPAINT);
      writeFileSync(`${FOLDER}${name}-${state}-${width}.png`, await engine.picture());
    }
  });

  run(`a picture that cannot be shown gives way to the item’s icon${why}`, async () => {
    const item = { ...GALLERY.ready.items[0]!, imageUrl: `${sample.origin}/gone.png` };
    await show({ ...GALLERY.ready, gameIconUrl: `${sample.origin}/gone-too.png`, items: [item] });
    await until(engine, `document.images.length === 0 && document.querySelector('.items .tile .icon')`);
  });
});
