import { type Browser, chromium } from 'playwright-core';

let started: Promise<Browser> | undefined;

/** Debian's own build: no npm package ships one that runs on arm64. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
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
export async function launchBrowser(): Promise<Browser> {
  if (started && !(await started).isConnected()) started = undefined;
  started ??= startBrowser();
  const browser = await started;
  const close = async (): Promise<void> => {
    await Promise.all(browser.contexts().map(context => context.close()));
  };
  return new Proxy(browser, {
    get(target, key) {
      if (key === 'close') return close;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
