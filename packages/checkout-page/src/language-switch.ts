import type { CheckoutView } from './checkout-view.ts';
import { type Html, html } from './html.ts';
import { LANGUAGES, type Say } from './languages.ts';
import { ICONS } from './marks.ts';

/** A form, so that it works without script. With script a choice is enough, and the button goes away. */
export function renderLanguageSwitch(view: CheckoutView, say: Say): Html {
  const options = Object.entries(LANGUAGES).map(
    ([language, { name }]) =>
      html`<option value="${language}" lang="${language}"${language === view.language && html` selected`}>${name}</option>`,
  );
  return html`<form class="language" method="get" action="${view.base}">${ICONS.globe}
<select id="language" name="lang" aria-label="${say('language')}">${options}</select>
<button class="quiet">${say('language_use')}</button>
</form>`;
}
