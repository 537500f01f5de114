import { launchBrowser } from '../../browser.ts';
import { missing } from '../debian-packages.ts';
import type { Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

/** To hold the others against. */
async function startChromium(): Promise<Engine> {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  return {
    name: 'Chromium',
    open: async url => void (await page.goto(url)),
    evaluate: expression => page.evaluate(expression),
    picture: () => page.screenshot(),
    resize: (width, height) => page.setViewportSize({ width, height }),
    close: () => browser.close(),
  };
}

const FIREFOX = { probe: ['firefox-esr', '--version'] as [string, string], packages: ['firefox-esr'] };
const WEBKIT = {
  probe: ['sh', '-c', 'command -v WebKitWebDriver Xvfb'] as [string, string, string],
  packages: ['webkit2gtk-driver', 'xvfb'],
};

/** With why one cannot be had here, or null. */
export const ENGINES = [
  { name: 'Chromium', start: startChromium, lacks: null },
  { name: 'Firefox', start: startFirefox, lacks: await missing(FIREFOX) },
  { name: 'WebKit', start: startWebKit, lacks: await missing(WEBKIT) },
] as const;
