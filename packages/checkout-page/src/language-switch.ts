import type { CheckoutView } from './checkout-view.ts';
import { type Html, html, shared } from './html.ts';
import { LANGUAGES, type Language, type Say } from './languages.ts';
import { ICONS } from './marks.ts';
import { addressOf } from './page-links.ts';

function renderOptions(selected: string): Html {
  return html`${Object.entries(LANGUAGES).map(
    ([language, { name }]) =>
      html`<option value="${language}" lang="${language}"${language === selected && html` selected`}>${name}</option>`,
  )}`;
}

/** Rendered once, because all pages of a language share the same options. */
const OPTIONS = Object.fromEntries(
  Object.keys(LANGUAGES).map(language => [language, shared(renderOptions(language))]),
) as Record<Language, Html>;

/** A form, so that it works without script. With script, a selection submits it and the button is hidden. */
export function renderLanguageSwitch(view: CheckoutView, say: Say): Html {
  return html`<form class="language" method="get" action="${addressOf({ ...view, chosenLanguage: null })}">${ICONS.globe}
<span class="pick"><select id="language" name="lang" aria-label="${say('language')}">${OPTIONS[view.language]}</select></span>
<button class="quiet">${say('language_use')}</button>
</form>`;
}
