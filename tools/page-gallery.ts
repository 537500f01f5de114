import { writeFileSync } from 'node:fs';
import { type CheckoutView, renderPage, type Theme } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';

/** Every state of the payment page side by side, in light and dark: npx tsx --conditions=source tools/page-gallery.ts out.html */
const [out] = process.argv.slice(2);
if (out === undefined) {
  console.error('Usage: npx tsx --conditions=source tools/page-gallery.ts <out.html>');
  process.exit(2);
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function frame(name: string, view: CheckoutView, theme: Theme): string {
  // Without scripts: a sample has no server to ask, and its link must not open by itself.
  const page = renderPage({ ...view, theme });
  return `<iframe title="${name}, ${theme}" sandbox srcdoc="${attribute(page)}"></iframe>`;
}

const rows = Object.entries(GALLERY).map(
  ([name, view]) =>
    `<figure><figcaption>${name}</figcaption>${frame(name, view, 'light')}${frame(name, view, 'dark')}</figure>`,
);

writeFileSync(
  out,
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Payment page: every state</title>
<style>
body { margin: 24px; font: 14px/20px system-ui, sans-serif; background: #c9ced8; display: flex; flex-wrap: wrap; gap: 24px; }
figure { margin: 0; } figcaption { font-weight: 600; padding-bottom: 4px; }
iframe { width: 390px; height: 844px; border: 0; margin-inline-end: 8px; background: #fff; }
</style>${rows.join('\n')}</html>`,
);
console.log(`${rows.length} states in ${out}`);
