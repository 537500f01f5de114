export type Store = 'app_store' | 'google_play' | 'galaxy_store' | 'app_gallery' | 'amazon' | 'one_store' | 'rustore';

export interface FoundApp {
  appId: string;
  url: string;
  slug?: string | undefined;
}

export interface StoreRule {
  label: string;
  example: string;
  hosts: RegExp;
  find(link: URL, path: string[]): FoundApp | null;
}

export const LONGEST_NAME = 255;
const PACKAGE = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/i;
const ASIN = /^B[0-9A-Z]{9}$/i;
const ONE_STORE_ID = /^(?:[A-Z]{1,2})?\d{6,12}$/;
const COUNTRY = /^[a-z]{2}$/i;

const packageIn = (candidate: string | null | undefined): string | null =>
  candidate && candidate.length <= LONGEST_NAME && PACKAGE.test(candidate) ? candidate : null;

const after = (path: string[], word: string): string | undefined => {
  const at = path.indexOf(word);
  return at < 0 ? undefined : path[at + 1];
};

const found = (appId: string | null | undefined, urlOf: (id: string) => string): FoundApp | null =>
  appId ? { appId, url: urlOf(appId) } : null;

function findInAppStore(_link: URL, path: string[]): FoundApp | null {
  const at = path.indexOf('app');
  const last = path.slice(at + 1).find(part => /^id\d{1,15}$/.test(part));
  if (at < 0 || last === undefined) return null;
  const country = path.slice(0, at).find(part => COUNTRY.test(part));
  const slug = path[at + 1] === last ? undefined : path[at + 1];
  return {
    appId: last.slice(2),
    url: `https://apps.apple.com/${country ? `${country.toLowerCase()}/` : ''}app/${last}`,
    // Campaign links carry this word where a name would stand.
    slug: slug === 'apple-store' ? undefined : slug,
  };
}

function findInAppGallery(link: URL, path: string[]): FoundApp | null {
  // Older links keep the app behind a hash.
  const number = [...path, ...link.hash.split(/[#/?]/)].find(part => /^C\d{1,15}$/.test(part));
  if (number) return { appId: number, url: `https://appgallery.huawei.com/app/${number}` };
  const name = packageIn(link.searchParams.get('id')) ?? packageIn(link.searchParams.get('pkgName'));
  return found(name, id => `https://appgallery.huawei.com/app/detail?id=${id}`);
}

function findInAmazon(link: URL, path: string[]): FoundApp | null {
  const named = link.pathname.startsWith('/gp/mas/dl/android');
  const byPackage = named ? packageIn(link.searchParams.get('p')) : null;
  if (byPackage) return { appId: byPackage, url: `https://www.amazon.com/gp/mas/dl/android?p=${byPackage}` };
  const candidate = after(path, 'dp') ?? after(path, 'product') ?? after(path, 'd') ?? link.searchParams.get('asin');
  if (!candidate || !ASIN.test(candidate)) return null;
  const appId = candidate.toUpperCase();
  const host = link.hostname.replace(/^(?:www\.|m\.)?/, 'www.');
  return { appId, url: `https://${host}/dp/${appId}`, slug: path[1] === 'dp' ? path[0] : undefined };
}

function findInOneStore(link: URL, path: string[]): FoundApp | null {
  const candidate = link.searchParams.get('prodId') ?? after(path, 'app') ?? path[0];
  return found(candidate && ONE_STORE_ID.test(candidate) ? candidate : null, id => `https://onesto.re/${id}`);
}

export const STORES: Record<Store, StoreRule> = {
  app_store: {
    label: 'App Store',
    example: 'https://apps.apple.com/us/app/my-game/id1234567890',
    hosts: /^(?:apps|itunes|geo\.itunes)\.apple\.com$/,
    find: findInAppStore,
  },
  google_play: {
    label: 'Google Play',
    example: 'https://play.google.com/store/apps/details?id=com.example.game',
    hosts: /^(?:play\.google\.com|market\.android\.com)$/,
    find: (link, path) =>
      found(
        path.at(-1) === 'details' && !path.includes('books') ? packageIn(link.searchParams.get('id')) : null,
        id => `https://play.google.com/store/apps/details?id=${id}`,
      ),
  },
  galaxy_store: {
    label: 'Galaxy Store',
    example: 'https://galaxystore.samsung.com/detail/com.example.game',
    hosts: /^(?:galaxystore\.samsung\.com|apps\.samsung\.com|samsungapps\.com)$/,
    find: (link, path) =>
      found(
        packageIn(after(path, 'detail')) ?? packageIn(link.searchParams.get('appId')),
        id => `https://galaxystore.samsung.com/detail/${id}`,
      ),
  },
  app_gallery: {
    label: 'AppGallery',
    example: 'https://appgallery.huawei.com/app/C123456789',
    hosts: /^appgallery\d{0,2}(?:\.cloud)?\.huawei\.com$/,
    find: findInAppGallery,
  },
  amazon: {
    label: 'Amazon Appstore',
    example: 'https://www.amazon.com/dp/B0EXAMPLE1',
    hosts:
      /^(?:m\.)?amazon\.(?:com|ca|de|fr|it|es|nl|se|pl|ie|in|sg|ae|sa|eg|cn|co\.uk|co\.jp|co\.za|com\.(?:au|be|br|mx|tr))$/,
    find: findInAmazon,
  },
  one_store: {
    label: 'ONE store',
    example: 'https://m.onestore.co.kr/v2/ko-kr/app/0000123456',
    hosts: /^(?:(?:m\.)?onestore\.(?:co\.kr|net|com)|onesto\.re)$/,
    find: findInOneStore,
  },
  rustore: {
    label: 'RuStore',
    example: 'https://www.rustore.ru/catalog/app/com.example.game',
    hosts: /^(?:apps\.)?rustore\.ru$/,
    find: (_link, path) => found(packageIn(after(path, 'app')), id => `https://www.rustore.ru/catalog/app/${id}`),
  },
};
