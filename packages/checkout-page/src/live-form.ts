import type { FormView, LiveForm, MethodView, ProviderScript, SavedMethodView } from './checkout-view.ts';
import { type Html, html } from './html.ts';
import type { Say } from './languages.ts';
import { ICONS } from './marks.ts';
import { pageAddress } from './page-links.ts';
import { renderEmailField, renderOwnCard, renderProblem, renderPurchase, renderTimeLeft } from './payment-form.ts';

type Ready = Extract<FormView, { state: 'ready' }>;

/** Shows the newest saved method first, as one button, and everything else behind "Pay another way". */
export function renderLiveForm(view: Ready, live: LiveForm, say: Say): Html {
  const [first, ...others] = live.saved;
  return html`${renderPurchase(view, say)}
<section class="pay">
${renderProblem(view, say, otherMethodsId(live, kindOf(view, live)))}
${
  first === undefined
    ? renderMethods(view, live, say)
    : html`${renderSaved(view, first, say)}
<p class="small below">${say('charged_after_grant', { game: view.gameName })}</p>
<details class="more"${view.problem !== null && html` open`}><summary class="button plain">${say('pay_another_way')}</summary>
${others.map(saved => html`${renderSaved(view, saved, say)}${renderForget(view, saved, say)}`)}
${renderMethods(view, live, say)}
${renderForget(view, first, say)}
</details>`
}
${view.timeLeft !== null && renderTimeLeft(view.timeLeft, say)}
</section>`;
}

/** The provider's form or our own, with one button that names the amount. */
function renderMethods(view: Ready, live: LiveForm, say: Say): Html {
  const kind = kindOf(view, live);
  return html`<form method="post" action="${pageAddress(view.base, view.chosenLanguage, '/pay')}" novalidate data-live="${kind}" data-sandbox="on">
${live.form !== null && renderProviderWallets(live, say)}
${live.wallets.length > 0 && renderExpress(live.wallets, kind, say)}
<div class="fields">${renderEmailField(view, say)}</div>
${RENDERED[kind](view, live, say)}
${live.notRefundable.length > 0 && html`<p class="small above" id="not_refundable">${say('not_refundable', { methods: live.notRefundable.join(', '), game: view.gameName })}</p>`}
<button class="button" id="submit" data-working="${say('working')}">${say('pay_amount', { amount: view.total })}</button>
</form>
<p class="small below after">${say('charged_after_grant', { game: view.gameName })}</p>
<p class="small below first">${say('charged_first', { game: view.gameName })}</p>`;
}

/** The id of the element with other methods, to use after a decline. Null if there are none. */
const otherMethodsId = ({ methods, wallets }: LiveForm, kind: Kind): string | null =>
  kind === 'provider' ? 'provider' : methods.length + wallets.length > 1 ? 'ways' : null;

/**
 * Wallets pay with one tap, before anything is typed. The invisible first button makes the enter key submit the form
 * instead of opening a wallet.
 */
const renderExpress = (wallets: readonly MethodView[], kind: Kind, say: Say): Html =>
  html`<button class="unseen" tabindex="-1" aria-hidden="true"></button>
${renderWallets(kind === 'own' ? wallets.map(wallet => named(wallet, say)) : wallets)}
<p class="or"><span>${say('other_ways')}</span></p>`;

/**
 * The provider draws its wallets here if the browser has one. They know the player's e-mail address, so they come before its
 * field.
 */
const renderProviderWallets = ({ wallets }: LiveForm, say: Say): Html =>
  html`<div id="express"></div>
${wallets.length === 0 && html`<p class="or"><span>${say('other_ways')}</span></p>`}`;

/**
 * `own`: our own fields. `provider`: the provider's form. `redirect`: no fields, because the player leaves for the
 * provider's page.
 */
type Kind = 'own' | 'provider' | 'redirect';

const kindOf = ({ demo }: Ready, { form }: LiveForm): Kind =>
  form !== null ? 'provider' : demo === 'simulated' ? 'own' : 'redirect';

/** Each saved method is its own form, so that it works without script. */
function renderSaved(view: Ready, { id, name, email }: SavedMethodView, say: Say): Html {
  const method = html`<bdi>${name}</bdi>`;
  const [before = '', after = ''] = say('pay_with_saved', { amount: view.total }).split('{method}');
  return html`<div class="saved">
<form method="post" action="${pageAddress(view.base, view.chosenLanguage, '/pay')}">
<input type="hidden" name="saved" value="${id}">
<button class="button" data-working="${say('working')}">${ICONS.card}<span>${before}${method}${after}</span></button>
</form>
${email !== null && html`<p class="small below">${say('saved_receipt', { email })}</p>`}
</div>`;
}

const renderForget = (view: Ready, { id, name }: SavedMethodView, say: Say): Html =>
  html`<div class="beside small"><bdi>${name}</bdi><form method="post" action="${pageAddress(view.base, view.chosenLanguage, '/forget')}">
<input type="hidden" name="saved" value="${id}">
<button class="quiet" aria-label="${say('saved_remove')}: ${name}">${say('saved_remove')}</button>
</form></div>`;

/** The provider draws its form here. Without script, the page says so and lists the methods that work without it. */
function renderProviderForm(view: Ready, live: LiveForm, say: Say): Html {
  const options = JSON.stringify({ ...live.form, language: view.language, business: view.gameName });
  return html`${view.provider !== null && renderProviderScript(view.provider, say, options)}
<p class="error" id="provider_error" role="alert"></p>
${live.offersSaving && renderSaveOption(view, say, true)}
<noscript><div class="problem">${ICONS.warn}<div><p>${say('needs_script')}</p>${live.methods.length > 0 && html`<p>${say('needs_script_instead')}</p>`}</div></div>
${live.methods.length > 0 && renderWays(live.methods, live.methods[0]!.id, null, say)}</noscript>`;
}

/** The simulator has no script, so wallets are buttons and the rest is a list that includes our card fields. */
function renderOwnWays(view: Ready, live: LiveForm, say: Say): Html {
  const card = html`<div class="fields own">${renderOwnCard(view, say)}${live.offersSaving && renderSaveOption(view, say)}</div>`;
  return renderWays(
    live.methods.map(method => named(method, say)),
    'card',
    card,
    say,
  );
}

const named = (method: MethodView, say: Say): MethodView => ({
  ...method,
  name: method.id === 'card' ? say('card') : say('method_simulated', { method: method.name }),
});

const renderWallets = (wallets: readonly MethodView[]): Html =>
  html`<div class="wallets">${wallets.map(({ id, name }) => html`<button class="button wallet" name="wallet" value="${id}">${name}</button>`)}</div>`;

/** The player types nothing here and approves the payment on the provider's own pages. This works without script. */
function renderRedirects(view: Ready, live: LiveForm, say: Say): Html {
  const [first] = live.methods;
  return html`${first !== undefined && renderWays(live.methods, first.id, null, say)}
<p class="error" id="provider_error" role="alert"></p>
${live.offersSaving && renderSaveOption(view, say)}`;
}

const RENDERED = { own: renderOwnWays, provider: renderProviderForm, redirect: renderRedirects } as const;

function renderWays(methods: readonly MethodView[], chosen: string, card: Html | null, say: Say): Html {
  return html`<fieldset class="ways" id="ways"><legend>${say('ways_to_pay')}</legend>
${methods.map(
  ({
    id,
    name,
    takes,
    charges,
  }) => html`<div class="way"><input type="radio" name="method" id="way_${id}" value="${id}"${charges !== 'after' && html` data-charges="${charges}"`}${id === chosen && html` checked`}>
<label for="way_${id}"><span>${name}</span>${takes !== 'at_once' && html` <span class="small">${say(`takes_${takes}`)}</span>`}</label>
${id === 'card' && card}</div>`,
)}</fieldset>`;
}

/** `hidden` until the provider's form reports which method is selected. */
function renderSaveOption(view: Ready, say: Say, hidden = false): Html {
  return html`<div class="check"${hidden && html` hidden`}><input type="checkbox" name="save_method" id="save_method" value="on"><label for="save_method">${say('save_method', { game: view.gameName })}</label></div>`;
}

/** Data for the page's script, which loads the provider's script. */
export function renderProviderScript({ scriptUrl, publishableKey }: ProviderScript, say: Say, options = '{}'): Html {
  return html`<div id="provider" data-script="${scriptUrl}" data-key="${publishableKey}" data-options="${options}" data-loading="${say('form_loading')}" data-failed="${say('form_failed')}"></div>`;
}
