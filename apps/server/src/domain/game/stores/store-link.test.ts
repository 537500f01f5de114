import { describe, expect, test } from 'vitest';
import { parseStoreLink } from './store-link.ts';
import { STORES } from './stores.ts';

const accepted: [given: string, store: string, appId: string, url: string, gameName: string | null][] = [
  [
    'https://apps.apple.com/us/app/clash-of-clans/id529479190?mt=8&uo=4',
    'app_store',
    '529479190',
    'https://apps.apple.com/us/app/id529479190',
    'Clash Of Clans',
  ],
  ['https://apps.apple.com/app/id123', 'app_store', '123', 'https://apps.apple.com/app/id123', null],
  ['apps.apple.com/app/id123', 'app_store', '123', 'https://apps.apple.com/app/id123', null],
  [
    'https://apps.apple.com/app/apple-store/id375380948?pt=1&ct=x',
    'app_store',
    '375380948',
    'https://apps.apple.com/app/id375380948',
    null,
  ],
  [
    'http://itunes.apple.com/JP/app/%E3%82%B2%E3%83%BC%E3%83%A0/id42/',
    'app_store',
    '42',
    'https://apps.apple.com/jp/app/id42',
    'ゲーム',
  ],
  [
    '  https://play.google.com/store/apps/details?id=com.supercell.clashofclans&hl=en_GB#reviews ',
    'google_play',
    'com.supercell.clashofclans',
    'https://play.google.com/store/apps/details?id=com.supercell.clashofclans',
    null,
  ],
  [
    'HTTPS://Play.Google.com/store/apps/details?gl=DE&id=a.B_2',
    'google_play',
    'a.B_2',
    'https://play.google.com/store/apps/details?id=a.B_2',
    null,
  ],
  [
    'https://galaxystore.samsung.com/detail/com.devsisters.ck?langCd=en',
    'galaxy_store',
    'com.devsisters.ck',
    'https://galaxystore.samsung.com/detail/com.devsisters.ck',
    null,
  ],
  [
    'https://apps.samsung.com/appquery/appDetail.as?appId=com.devsisters.ck',
    'galaxy_store',
    'com.devsisters.ck',
    'https://galaxystore.samsung.com/detail/com.devsisters.ck',
    null,
  ],
  [
    'https://appgallery.huawei.com/app/C100096805',
    'app_gallery',
    'C100096805',
    'https://appgallery.huawei.com/app/C100096805',
    null,
  ],
  [
    'https://appgallery.huawei.com/#/app/C100096805?source=x',
    'app_gallery',
    'C100096805',
    'https://appgallery.huawei.com/app/C100096805',
    null,
  ],
  [
    'https://appgallery.cloud.huawei.com/ag/n/app/C1?locale=es_US&subsource=C1',
    'app_gallery',
    'C1',
    'https://appgallery.huawei.com/app/C1',
    null,
  ],
  [
    'https://appgallery.huawei.com/app/detail?id=com.example.game&channelId=SHARE',
    'app_gallery',
    'com.example.game',
    'https://appgallery.huawei.com/app/detail?id=com.example.game',
    null,
  ],
  [
    'https://www.amazon.co.uk/Mojang-Minecraft/dp/B00992CF6W/ref=sr_1_1?keywords=x',
    'amazon',
    'B00992CF6W',
    'https://www.amazon.co.uk/dp/B00992CF6W',
    'Mojang Minecraft',
  ],
  ['https://amazon.com/gp/product/b00992cf6w', 'amazon', 'B00992CF6W', 'https://www.amazon.com/dp/B00992CF6W', null],
  [
    'https://www.amazon.com/gp/mas/dl/android?p=com.mojang.minecraftpe',
    'amazon',
    'com.mojang.minecraftpe',
    'https://www.amazon.com/gp/mas/dl/android?p=com.mojang.minecraftpe',
    null,
  ],
  [
    'https://m.onestore.co.kr/mobilepoc/apps/appsDetail.omp?prodId=OA00752154',
    'one_store',
    'OA00752154',
    'https://onesto.re/OA00752154',
    null,
  ],
  [
    'https://m.onestore.net/v2/en-sg/app/0000752154?scYn=Y',
    'one_store',
    '0000752154',
    'https://onesto.re/0000752154',
    null,
  ],
  ['https://onesto.re/0000752154', 'one_store', '0000752154', 'https://onesto.re/0000752154', null],
  [
    'https://www.rustore.ru/catalog/app/ru.example.game',
    'rustore',
    'ru.example.game',
    'https://www.rustore.ru/catalog/app/ru.example.game',
    null,
  ],
  [
    'https://apps.rustore.ru/app/ru.example.game',
    'rustore',
    'ru.example.game',
    'https://www.rustore.ru/catalog/app/ru.example.game',
    null,
  ],
];

test.each(accepted)('%s is read offline', (given, store, appId, url, gameName) => {
  expect(parseStoreLink(given)).toEqual({ link: { store, appId, url, gameName } });
});

test.each(accepted)('the tidied form of %s is read as the same app', (_given, store, appId, url) => {
  expect(parseStoreLink(url)).toMatchObject({ link: { store, appId, url } });
});

test.each(Object.values(STORES))('the example of $label is itself accepted', ({ example }) => {
  expect(parseStoreLink(example)).toHaveProperty('link');
});

describe('what is no link of a game', () => {
  test.each([
    '',
    'my game',
    'https://example.com/game',
    'https://play.google.com.evil.example/store/apps/details?id=com.example.game',
    'https://evil.example/play.google.com/store/apps/details?id=com.example.game',
    'https://play.google.com@evil.example/store/apps/details?id=com.example.game',
    'https://user:pass@play.google.com/store/apps/details?id=com.example.game',
    'https://play.google.com:8443/store/apps/details?id=com.example.game',
    'javascript://play.google.com/store/apps/details?id=com.example.game',
    'ftp://play.google.com/store/apps/details?id=com.example.game',
    'https:play.google.com/store/apps/details?id=com.example.game',
    'https://play.google.com\\store/apps/details?id=com.example.game',
    'https://play.google.com/store/apps/details?id=com.example.game\u0000',
    `https://play.google.com/store/apps/details?id=com.example.game&x=${'x'.repeat(3_000)}`,
  ])('%j is refused with the list of stores', given => {
    expect(parseStoreLink(given)).toEqual({
      refusal:
        'Must be the link of a published mobile game in App Store, Google Play, Galaxy Store, AppGallery, Amazon Appstore, ONE store or RuStore, such as https://play.google.com/store/apps/details?id=com.example.game.',
    });
  });

  test.each([
    ['https://apps.apple.com/us/developer/supercell/id488106216', 'App Store'],
    ['https://apps.apple.com/us/app/clash-of-clans', 'App Store'],
    ['https://play.google.com/store/apps/developer?id=Supercell', 'Google Play'],
    ['https://play.google.com/store/apps/details?id=nodots', 'Google Play'],
    ["https://play.google.com/store/apps/details?id=com.x'--", 'Google Play'],
    ['https://play.google.com/store/books/details?id=com.example.book', 'Google Play'],
    ['https://galaxystore.samsung.com/', 'Galaxy Store'],
    ['https://appgallery.huawei.com/Featured', 'AppGallery'],
    ['https://www.amazon.de/dp/3406727301', 'Amazon Appstore'],
    ['https://m.onestore.co.kr/v2/ko-kr/main', 'ONE store'],
    ['https://www.rustore.ru/catalog/games', 'RuStore'],
  ])('%s is known as its store, but no game', (given, label) => {
    expect(parseStoreLink(given)).toEqual({
      refusal: expect.stringContaining(`This is an address of ${label}, but no page of a game. One looks like http`),
    });
  });

  test.each(['https://galaxy.store/fortnite', 'https://apple.co/3abcd', 'https://amzn.to/xyz'])(
    '%s is a short link, and the answer says what to do',
    given => {
      expect(parseStoreLink(given)).toEqual({ refusal: expect.stringContaining('Open it in a browser') });
    },
  );
});

test('a name from a link never carries markup or control characters', () => {
  for (const slug of ['%3Cscript%3E', 'a%00b', '%E2%80%AEevil', '%zz']) {
    expect(parseStoreLink(`https://apps.apple.com/us/app/${slug}/id7`)).toMatchObject({ link: { gameName: null } });
  }
});
