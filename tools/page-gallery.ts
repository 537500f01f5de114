import { writeFileSync } from 'node:fs';
import {
  type CheckoutView,
  LANGUAGES,
  type Language,
  LIVE_SCRIPT,
  PAGE_SCRIPT,
  PAGE_STYLE,
  renderCheckout,
  type Theme,
} from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';

/**
 * Every state of the payment page side by side, in light and dark, in any of its languages and as wide as you like:
 * npx tsx --conditions=source tools/page-gallery.ts out.html
 */
const [out] = process.argv.slice(2);
if (out === undefined) {
  console.error('Usage: npx tsx --conditions=source tools/page-gallery.ts <out.html>');
  process.exit(2);
}

function frames(name: string): string {
  return (['light', 'dark'] satisfies Theme[])
    .map(theme => `<iframe title="${name}, ${theme}" data-name="${name}" data-theme="${theme}" sandbox></iframe>`)
    .join('');
}

/** Style stands once in the file, script nowhere: a sample has no server to ask, and its link must not open by itself. */
const bare = (html: string): string => html.replace(PAGE_STYLE, '').replace(LIVE_SCRIPT, '').replace(PAGE_SCRIPT, '');

/** Samples that are about a language keep it. */
function pages(language: Language): Record<string, string> {
  return Object.fromEntries(
    Object.entries(GALLERY).map(([name, view]: [string, CheckoutView]) => [
      name,
      bare(renderCheckout({ ...view, language: view.language === 'en' ? language : view.language }).html),
    ]),
  );
}

const languages = Object.keys(LANGUAGES) as Language[];
const all = JSON.stringify(Object.fromEntries(languages.map(language => [language, pages(language)])));
const options = languages.map(language => `<option value="${language}">${LANGUAGES[language].name}</option>`).join('');
const figures = Object.keys(GALLERY).map(name => `<figure><figcaption>${name}</figcaption>${frames(name)}</figure>`);

writeFileSync(
  out,
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Payment page: every state</title>
<style>
body { margin: 24px; font: 14px/20px system-ui, sans-serif; background: #c9ced8; display: flex; flex-wrap: wrap; gap: 24px; }
nav { flex-basis: 100%; display: flex; gap: 16px; }
figure { margin: 0; } figcaption { font-weight: 600; padding-bottom: 4px; }
iframe { width: var(--width, 390px); height: 844px; border: 0; margin-inline-end: 8px; background: #fff; }
</style>
<nav><label>Language <select id="language">${options}</select></label>
<label>Width <select id="width"><option>360</option><option selected>390</option><option>1280</option></select></label></nav>
${figures.join('\n')}
<script id="style" type="text/plain">${PAGE_STYLE}</script>
<script id="pages" type="application/json">${all.replaceAll('<', '\\u003c')}</script>
<script>
const pages = JSON.parse(document.getElementById('pages').textContent);
const style = document.getElementById('style').textContent;
const language = document.getElementById('language');
const width = document.getElementById('width');
function show() {
  document.body.style.setProperty('--width', width.value + 'px');
  for (const frame of document.querySelectorAll('iframe')) {
    const page = pages[language.value][frame.dataset.name];
    frame.srcdoc = page
      .replace('<style></style>', '<style>' + style + '</style>')
      .replace('data-theme="auto"', 'data-theme="' + frame.dataset.theme + '"');
  }
}
language.onchange = width.onchange = show;
show();
</script></html>`,
);
console.log(`${figures.length} states in ${languages.length} languages in ${out}`);
