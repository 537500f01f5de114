import type { TestProgram } from '@coinslot/testing/program';

/** Each would leave a mark or open a dialog if it ran. */
export const MARKUP = [
  `<script>window.struck=1;alert(1)</script>`,
  `"><img src=x onerror="window.struck=2;alert(2)">`,
  `</title></style></script><svg onload="window.struck=3">`,
  `' autofocus onfocus='window.struck=4' x='`,
  `<iframe srcdoc="<script>parent.struck=5</script>"></iframe>`,
  `&lt;script&gt;window.struck=6&lt;/script&gt;`,
  `javascript:alert(7)`,
  '{{constructor.constructor("alert(8)")()}}',
];

export const HOSTILE_RETURN_URLS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript://game.example/%0aalert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://game.example/1',
  'about:blank',
  'view-source:https://game.example',
  'filesystem:https://game.example/x',
  '//evil.example',
  'https:evil.example',
  'https:///evil.example',
  '\\\\evil.example',
  'evil.example/path',
  '',
];

/** Buys items whose every text is one of these. */
export const buyAll =
  (shop: TestProgram) =>
  (texts: readonly string[]): Promise<{ order_id: string; checkout_url: string }> =>
    shop.createOrder({
      player_id: texts[0],
      player: { name: texts[1] },
      items: texts.map((text, i) => ({
        sku: `hostile_${i}`,
        name: text,
        description: text,
        price_decimal: 1,
        currency: 'EUR',
      })),
      back_to_game_url: `castle-quest://${encodeURIComponent(texts[1] ?? '')}`,
    });
