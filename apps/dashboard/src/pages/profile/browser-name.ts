const BROWSERS = [/Edg\//, /OPR\//, /Firefox\//, /Chrome\//, /Safari\//] as const;
const BROWSER_NAMES = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari'] as const;
const SYSTEMS = [/Windows/, /iPhone|iPad/, /Android/, /Mac OS X/, /Linux/] as const;
const SYSTEM_NAMES = ['Windows', 'iOS', 'Android', 'macOS', 'Linux'] as const;

/** Reads "Chrome" and "Linux" from a user agent. An unknown browser is shown as the start of the raw text. */
export function browserName(userAgent: string): { browser: string; system: string; isPhone: boolean } {
  const browser = BROWSER_NAMES[BROWSERS.findIndex(pattern => pattern.test(userAgent))];
  const system = SYSTEM_NAMES[SYSTEMS.findIndex(pattern => pattern.test(userAgent))];
  return {
    browser: browser ?? userAgent.slice(0, 40),
    system: system ?? '',
    isPhone: /Mobi|iPhone|Android/.test(userAgent),
  };
}
