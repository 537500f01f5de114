import type { ProviderScript } from './checkout-view.ts';
import { type Html, html } from './html.ts';
import type { Say } from './languages.ts';

/** For the page's own script, which loads the provider's: nothing here is loaded by itself. */
export function renderProviderScript({ scriptUrl, publishableKey }: ProviderScript, say: Say, options = '{}'): Html {
  return html`<div id="provider" data-script="${scriptUrl}" data-key="${publishableKey}" data-options="${options}" data-loading="${say('form_loading')}" data-failed="${say('form_failed')}"></div>`;
}
