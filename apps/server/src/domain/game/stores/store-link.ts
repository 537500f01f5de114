import { parseUrl } from '../../../kit/parse-url.ts';
import { type FoundApp, LONGEST_NAME, STORES, type Store, type StoreRule } from './stores.ts';

/** The page of a published game. Read from the link alone, without a request over the network. */
export interface StoreLink {
  store: Store;
  appId: string;
  /** The same page without trackers, languages and old forms of the address. */
  url: string;
  /** A name to begin with; the studio can change it. Null when the link has none: an app id is nothing to show a player. */
  gameName: string | null;
}

const LONGEST_LINK = 2_083;

const SHORTENERS: ReadonlySet<string> = new Set(
  'galaxy.store apple.co appsto.re amzn.to amzn.eu amzn.asia a.co url.cloud.huawei.com play.app.goo.gl goo.gl bit.ly'.split(
    ' ',
  ),
);

const labels = Object.values(STORES).map(({ label }) => label);
const REFUSED = `Must be the link of a published mobile game in ${labels.slice(0, -1).join(', ')} or ${labels.at(-1)}, such as ${STORES.google_play.example}.`;
const SHORT = `This short link hides the game. Open it in a browser and give the address of the page it leads to. ${REFUSED}`;

function parse(text: string): URL | null {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_LINK || /[\s\p{C}\\]/u.test(trimmed)) return null;
  // A link that is copied from an address bar often comes without its scheme.
  const whole = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\//i.test(trimmed) ? `https://${trimmed}` : trimmed;
  if (!/^https?:\/\/[^/?#@]+/i.test(whole) || !parseUrl(whole)) return null;
  const url = new URL(whole);
  return url.username || url.password || url.port ? null : url;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function nameFrom({ slug }: FoundApp): string | null {
  const words = (slug ?? '').split(/[-_+\s]+/).filter(Boolean);
  const name = words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return name && name.length <= LONGEST_NAME && !/[\p{C}%<>]/u.test(name) ? name : null;
}

/** The store and the app of a link, or why it cannot be taken. */
export function parseStoreLink(text: string): { link: StoreLink } | { refusal: string } {
  const url = parse(text);
  if (!url) return { refusal: REFUSED };
  const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '');
  if (SHORTENERS.has(host)) return { refusal: SHORT };
  const entry = Object.entries(STORES).find(([, { hosts }]) => hosts.test(host)) as [Store, StoreRule] | undefined;
  if (!entry) return { refusal: REFUSED };
  const [store, rule] = entry;
  const app = rule.find(url, url.pathname.split('/').filter(Boolean).map(decode));
  if (!app) {
    return { refusal: `This is an address of ${rule.label}, but no page of a game. One looks like ${rule.example}.` };
  }
  return { link: { store, appId: app.appId, url: app.url, gameName: nameFrom(app) } };
}
