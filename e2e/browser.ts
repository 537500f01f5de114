import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { findBrowser, findQuickBrowser } from '../tools/browsers.mjs';

/** `whole` is for what only a browser with windows does: a bank that is gone to and come back from. */
type BrowserKind = 'quick' | 'whole';

/** For a click or a wait that names no other time: a browser on a busy machine is ten times as slow. */
const PATIENCE_MS = 90_000;

const started: Partial<Record<BrowserKind, Promise<Browser>>> = {};

/** Debian's own build: no npm package ships one that runs on arm64. */
export const startBrowser = (kind: BrowserKind = 'whole', env: Record<string, string> = {}): Promise<Browser> =>
  chromium.launch({
    env: { ...process.env, ...env },
    executablePath: kind === 'quick' ? findQuickBrowser() : findBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/**
 * A browser for tests. The files that a worker runs one after the other share one: closing it closes its contexts, so that the next file
 * finds no page and no cookie, and it ends with the worker.
 */
export async function launchBrowser(kind: BrowserKind = 'quick'): Promise<Browser> {
  if (started[kind] && !(await started[kind]).isConnected()) started[kind] = undefined;
  started[kind] ??= startBrowser(kind);
  const browser = await started[kind];
  const close = async (): Promise<void> => {
    await Promise.all(browser.contexts().map(context => context.close()));
  };
  return new Proxy(browser, {
    get(target, key) {
      if (key === 'close') return close;
      if (key === 'newContext' || key === 'newPage')
        return async (options?: BrowserContextOptions) => {
          const opened = await target[key](options);
          opened.setDefaultTimeout(PATIENCE_MS);
          return opened;
        };
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
