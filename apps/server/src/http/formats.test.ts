import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES, FORMATS, isLocale, isReturnUrl, isWebUrl } from './formats.ts';

describe('links back to the game', () => {
  it.each([
    'https://game.example.com',
    'HTTPS://game.example.com/shop?order={order_id}#x',
    'http://localhost:3000/done',
    'mygame://shop',
    'mygame://shop?order={order_id}',
    'mygame:open',
    'com.example.game://pay/done',
    'fb1234567://authorize',
    'intent://shop#Intent;scheme=mygame;package=com.example.game;end',
    'intent:#Intent;scheme=mygame;S.browser_fallback_url=https%3A%2F%2Fgame.example%2Fshop;end',
    'https://пример.рф/',
    'mygame://',
  ])('%s passes', text => expect(isReturnUrl(text)).toBe(true));

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript://game.example.com/%0aalert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    'java\r\nscript:alert(1)',
    '\tjavascript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    '\u00a0javascript:alert(1)',
    'javascript\u200b:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'DATA:text/html;base64,PHNjcmlwdD4=',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://game.example.com/uuid',
    'about:blank',
    'view-source:https://game.example.com',
    'android-app://com.android.settings/settings/system',
    'ios-app://123/x',
    'filesystem:https://game.example.com/x',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'https://',
    'https://?x',
    'https://user:pass@evil.example',
    'https://game.example.com@evil.example',
    'http://',
    '/relative',
    'relative',
    '',
    '?x=1',
    'https://game example.com',
    'https://game.example.com/\r\nSet-Cookie: a=b',
    'https://[::1',
    '%6aavascript:alert(1)',
    'javascript&colon;alert(1)',
    '1game://x',
    'content://com.example.provider/files/1',
    'ms-its:c:/help.chm::/a.htm',
    'mk:@MSITStore:c:/help.chm',
    'intent:javascript:alert(1)',
    'intent:javascript:alert(1)#Intent;scheme=mygame;end',
    'intent:file:///etc/passwd#Intent;end',
    'intent:FILE:///sdcard/x#Intent;scheme=mygame;end',
    'intent://x#Intent;scheme=mygame;component=com.example/.Other;end',
    'intent://x#Intent;scheme=ms-msdt;end',
    'ms-msdt:/id PCWDiagnostic'.replaceAll(' ', '%20'),
    'ms-settings:privacy',
    'ms-appinstaller:?source=https://evil.example/x.msix',
    'search-ms:query=x&crumb=location:%5C%5Cevil',
    'search:x',
    'itms-services://?action=download-manifest&url=https://evil.example/x.plist',
    'itms-apps://x',
    'shell:startup',
    'vscode://x',
    'x-apple.systempreferences:',
    'jnlp:x',
    'steam://install/1',
    'chrome-search://x',
    'intent://x#Intent;scheme=javascript;end',
    'intent:alert(1)#Intent;scheme=JavaScript;end',
    'intent://x#Intent;scheme=%66ile;end',
    // An escape that is none (row 274).
    'intent://x#Intent;scheme=java%73cript;S.a=%ZZ;end',
    'intent:///etc/passwd#Intent;scheme=fil%65;S.a=%;end',
    'shortcuts://run-shortcut?name=any',
    'intent://x#Intent;scheme=mygame;SEL;scheme=content;end',
    'intent://x#Intent;scheme=mygame;S.browser_fallback_url=javascript%3Aalert(1);end',
  ])('%j is refused', text => expect(isReturnUrl(text)).toBe(false));
});

describe('web addresses', () => {
  it.each(['https://example.com/a.png', 'http://example.com', 'https://[2001:db8::1]:8443/x', 'https://127.0.0.1/x'])(
    '%s passes',
    text => expect(isWebUrl(text)).toBe(true),
  );

  it.each([
    'mygame://x',
    'javascript:alert(1)',
    'ftp://example.com',
    '//example.com',
    'https:example.com',
    'https://a b',
    'example.com',
    'https://u:p@example.com',
  ])('%j is refused', text => expect(isWebUrl(text)).toBe(false));
});

describe('codes', () => {
  it('countries are the assigned two letters, in upper case', () => {
    expect(COUNTRY_CODES.size).toBe(249);
    expect(['GB', 'JP', 'US'].every(code => FORMATS.country?.(code))).toBe(true);
    expect(['gb', 'UK', 'XX', 'GBR', ''].some(code => FORMATS.country?.(code))).toBe(false);
  });

  it('currencies are ISO 4217, in upper case', () => {
    expect(['USD', 'JPY', 'KWD'].every(code => FORMATS.currency?.(code))).toBe(true);
    expect(['usd', 'XXX', 'US', '', 'BTC'].some(code => FORMATS.currency?.(code))).toBe(false);
  });

  it('days are those of the calendar', () => {
    expect(['2026-01-31', '2028-02-29', '1000-01-01', '8999-12-31'].every(day => FORMATS.day?.(day))).toBe(true);
    const wrong = [
      '2026-13-45',
      '2026-02-29',
      '2026-02-31',
      '2026-1-1',
      '26-01-01',
      '2026-01-01T00',
      '',
      ' 2026-01-01',
    ];
    expect(wrong.filter(day => FORMATS.day?.(day))).toEqual([]);
  });

  it('locales are BCP 47', () => {
    expect(['en', 'pt-BR', 'zh-Hant-TW', 'de-CH-1996'].every(isLocale)).toBe(true);
    expect(['', 'en_US', 'x', 'english language', '../en', 'en-\u0000'].some(isLocale)).toBe(false);
  });
});
