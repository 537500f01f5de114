// Where a browser may be. It uses nothing but Node itself, because `prepare` asks before anything is installed.
import { existsSync } from 'node:fs';

const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** The same engine without windows and tabs: a page costs it less than half of the work. */
const WITHOUT_WINDOWS = ['/usr/bin/chromium-headless-shell'];

const firstOf = paths => paths.find(path => path && existsSync(path));

/** The one that CHROME_PATH names, or a whole one that is installed. */
export const findBrowser = () => firstOf([process.env.CHROME_PATH, ...BROWSERS]);

/** One for tests that need no more of it than its pages. */
export const findQuickBrowser = () => firstOf([process.env.CHROME_PATH, ...WITHOUT_WINDOWS, ...BROWSERS]);
