/** Texts that programs like to change: each must come back exactly as it was sent. */
export const NAUGHTY_STRINGS: Record<string, string> = {
  emoji: '🗡️ 👩‍👩‍👧‍👦 🇬🇧',
  'right to left': 'سيف الفجر',
  'direction marks': '\u202Etxet desrever\u202C',
  'zero width': 'a\u200Bb\u200Dc\u2060d\uFEFFe',
  'composed (NFC)': 'caf\u00e9',
  'decomposed (NFD)': 'cafe\u0301',
  'combining marks': 'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  'leading and trailing spaces': '  sword  ',
  'only a space': ' ',
  'no-break and ideographic spaces': '\u00a0sword\u3000',
  'a tab': 'a\tb',
  'control characters': 'a\u0001b\u001bc\u007fd\u0085e',
  'line and paragraph separator': 'a\u2028b\u2029c',
  noncharacters: '\uFFFE\uFFFF\u{10FFFF}',
  'a replacement character': 'a\uFFFDb',
  quotes: `'"\`\\`,
  SQL: `'; drop table orders; --`,
  HTML: '<script>alert(1)</script>&amp;<!--',
  template: '#{7*7}{{7*7}}%s%n',
  path: '../../etc/passwd',
  'percent signs': '%00%2F%zz',
  'a URL': 'https://example.com/?a=b&c=d#e',
  'looks like a number': '1e309',
  'looks like null': 'null',
  'a word of JavaScript': 'constructor',
  '255 code points outside the basic plane': '😀'.repeat(255),
};

/** Texts with a line break: fine in identifiers, refused in one-line texts by rule. */
export const LINE_BREAKS: Record<string, string> = {
  'carriage return and line feed': 'a\r\nBcc: all@example.com',
  'carriage return': 'a\rb',
  'line feed': 'a\nb',
};
