import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CheckoutView, languageOf, renderCheckout } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';

interface Visit {
  method: string;
  path: string;
  body: string;
}

export type WatchedPage = Page & {
  /** What the console complained about; the policy complains there too. */
  troubles: string[];
};

export const base = '/c/sample';
export const patience = { timeout: 60_000 };

/** The payment page in a real browser, behind a server that shows the sample it is told to. */
export async function startSamplePage() {
  let shown: CheckoutView = GALLERY.ready;
  let visits: Visit[] = [];
  /** Long polls that wait for the order to change. */
  let waiting: (() => void)[] = [];

  const parameter = (request: IncomingMessage, name: string) =>
    new URL(request.url ?? '', 'http://sample').searchParams.get(name);

  async function answerStatus(request: IncomingMessage): Promise<string> {
    const version = 'version' in shown ? shown.version : 0;
    if (parameter(request, 'version') === String(version)) await new Promise<void>(resolve => waiting.push(resolve));
    return JSON.stringify({ version: 'version' in shown ? shown.version : 0, state: shown.state });
  }

  function sendPage(request: IncomingMessage, response: ServerResponse): void {
    const chosenLanguage = languageOf(parameter(request, 'lang') ?? '');
    const { html, headers } = renderCheckout({ ...shown, language: chosenLanguage ?? shown.language, chosenLanguage });
    response.writeHead(200, headers).end(html);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    visits.push({ method: request.method ?? '', path, body: await text(request) });
    if (path === `${base}/status`) response.end(await answerStatus(request));
    else if (path === `${base}/events`) response.writeHead(204).end();
    else if (request.method === 'POST') response.writeHead(303, { location: base }).end();
    else if (path === base || path === `${base}/receipt`) sendPage(request, response);
    else response.end('the game');
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launchBrowser();

  /** The next request finds this; pages that wait are not told. */
  const put = (view: CheckoutView): void => {
    shown = { ...view, base };
  };

  /** The order changes, and pages that wait hear of it. */
  function show(view: CheckoutView): void {
    put(view);
    for (const wake of waiting.splice(0)) wake();
  }

  async function open(view: CheckoutView, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    show(view);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
    // No sample reaches the network; what a provider draws is shown in e2e/live.
    await context.route('https://js.provider.example/**', route => route.fulfill({ body: '' }));
    const page = Object.assign(await context.newPage(), { troubles: [] as string[] });
    page.on('console', message => message.type() === 'error' && page.troubles.push(message.text()));
    page.on('pageerror', error => page.troubles.push(error.message));
    await page.goto(origin + base);
    return page;
  }

  return {
    origin,
    put,
    show,
    open,
    visits: () => visits,
    visitsOf: (method: string, path: string) => visits.filter(visit => visit.method === method && visit.path === path),
    async reset(): Promise<void> {
      await Promise.all(browser.contexts().map(context => context.close()));
      waiting = [];
      visits = [];
    },
    async close(): Promise<void> {
      await browser.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export type SamplePage = Awaited<ReturnType<typeof startSamplePage>>;

export const sentForm = {
  email: 'mika@example.com',
  card_number: '4242 4242 4242 4242',
  card_expiry: '12 / 40',
  card_cvc: '123',
  postal_code: '10115',
};

export async function fillForm(page: Page): Promise<void> {
  await page.locator('[autocomplete=email]').fill(sentForm.email);
  await page.locator('[autocomplete=cc-number]').fill(sentForm.card_number);
  await page.locator('[autocomplete=cc-exp]').fill(sentForm.card_expiry);
  await page.locator('[autocomplete=cc-csc]').fill(sentForm.card_cvc);
  await page.locator('[autocomplete=postal-code]').fill(sentForm.postal_code);
}
