import type { CheckoutState, CheckoutView, FormView, OutcomeView, ProviderScript } from './checkout-view.ts';
import { Html, html, type Part, shared, textOf } from './html.ts';
import { renderLanguageSwitch } from './language-switch.ts';
import { LANGUAGES, type Say, speak } from './languages.ts';
import { renderLiveForm } from './live-form.ts';
import { FAVICON } from './marks.ts';
import { outcomeTitle, renderOutcome, renderWithoutOrder } from './outcome.ts';
import { accentStyle, type PageHeaders, pageHeaders } from './page-headers.ts';
import { addressOf, linkable, pageAddress } from './page-links.ts';
import { LIVE_SCRIPT, PAGE_SCRIPT } from './page-script.ts';
import { renderForm, renderTestCards } from './payment-form.ts';
import { renderReceipt } from './receipt-page.ts';
import { renderSeller } from './seller.ts';
import { LIVE_STYLE } from './style/live-style.ts';
import { PAGE_STYLE } from './style/page-style.ts';

/** A page in one of these states changes by itself, so it polls. */
const WAITING = new Set<CheckoutState>([
  'paying',
  'checking',
  'asking',
  'awaiting',
  'waiting_no_webhook',
  'refund_requested',
  'unavailable',
]);
/** A page in one of these states can become outdated through another tab, the game or the clock. */
const OPEN = new Set<CheckoutState>(['ready', 'claim', 'challenge']);
/** A page in one of these states shows a purchase that a refund or a bank can still change. */
const SETTLED = new Set<CheckoutState>(['done', 'receipt', 'disputed']);

// The bytes must match the hashes in the policy, so nothing may be added between the tags.
const STYLE = shared(new Html(`<style>${PAGE_STYLE}</style>`));
const SCRIPT = shared(new Html(`<script type="module">${PAGE_SCRIPT}</script>`));
const LIVE_STYLES = shared(new Html(`<style>${PAGE_STYLE}</style><style>${LIVE_STYLE}</style>`));
const LIVE_SCRIPTS = shared(new Html(`<script type="module">${LIVE_SCRIPT}</script>`));
const META = shared(html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#151922" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${FAVICON}">`);

export interface CheckoutPage {
  /** The document in parts, so that shared parts are compressed once. */
  parts: readonly Part[];
  /** The whole document. */
  readonly html: string;
  /** The policy in these headers allows exactly this page. */
  headers: PageHeaders;
}

export function renderCheckout(view: CheckoutView): CheckoutPage {
  const accent = accentStyle('accentColor' in view ? view.accentColor : null);
  const style = accent === null ? null : new Html(`<style>${accent}</style>`);
  const { parts } = renderDocument(view, speak(view.language), style);
  return {
    parts,
    headers: pageHeaders({ accent, live: isLive(view), provider: providerOf(view) }),
    get html() {
      return textOf(parts);
    },
  };
}

const isForm = ({ state }: CheckoutView): boolean => state === 'ready' || state === 'claim';

const isLive = (view: CheckoutView): boolean => 'sandbox' in view && !view.sandbox;

const providerOf = (view: CheckoutView): ProviderScript | null =>
  'provider' in view && !view.sandbox ? view.provider : null;

const providerParts = new Map<string, Html>();

/** Runs before the page's own script. All pages of a provider share it, so it is rendered once. */
function renderProviderPart({ part }: ProviderScript): Html {
  const made = providerParts.get(part) ?? shared(new Html(`<script type="module">${part}</script>`));
  providerParts.set(part, made);
  return made;
}

function renderDocument(view: CheckoutView, say: Say, accent: Html | null): Html {
  const provider = providerOf(view);
  const goTo = view.state === 'done' && !view.earlier ? linkable(view.backToGameUrl) : null;
  return html`<!doctype html>
<html lang="${view.language}" dir="${LANGUAGES[view.language].dir}" data-theme="${view.theme}">
<head>
${META}
<title>${pageTitle(view, say)}</title>
${isLive(view) ? LIVE_STYLES : STYLE}
${accent}
${renderRefresh(view, goTo)}
</head>
<body data-base="${view.base}" data-address="${addressOf(view)}" data-state="${view.state}"${bodyData(view, say)}${goTo !== null && html` data-open="${goTo}"`}>
<main class="page${isForm(view) && ' wide'}">
${'sandbox' in view && (view.sandbox ? renderSandboxMark(view, say) : view.demo !== null && renderDemoMark(view, view.demo, say))}
${renderBody(view, say)}
${'seller' in view && renderSeller(view, say)}
${renderLanguageSwitch(view, say)}
</main>
<p class="unseen" id="news" role="status"></p>
${provider !== null && renderProviderPart(provider)}
${isLive(view) ? LIVE_SCRIPTS : SCRIPT}
</body>
</html>
`;
}

function pageTitle(view: CheckoutView, say: Say): string {
  if (view.state === 'not_found' || view.state === 'unavailable') return outcomeTitle(view, say);
  if (view.state === 'claim') return `${say('claim')} · ${view.gameName}`;
  if (view.state === 'ready') return `${say('pay_amount', { amount: view.total })} · ${view.gameName}`;
  return `${outcomeTitle(view, say)} · ${view.gameName}`;
}

/** Only for browsers without script. With script the page follows the order itself. */
function renderRefresh(view: CheckoutView, goTo: string | null): Html | null {
  if (goTo !== null) return html`<noscript><meta http-equiv="refresh" content="1;url=${goTo}"></noscript>`;
  if (!WAITING.has(view.state)) return null;
  const isSlow =
    view.state === 'unavailable' || view.state === 'awaiting' || (view.state === 'asking' && view.mayClose);
  const address = pageAddress(view.base, view.chosenLanguage);
  return html`<noscript><meta http-equiv="refresh" content="${isSlow ? 10 : 2};url=${address}"></noscript>`;
}

function bodyData(view: CheckoutView, say: Say): Html {
  const version = 'version' in view ? view.version : 0;
  const watch = WAITING.has(view.state) || OPEN.has(view.state) ? 'on' : SETTLED.has(view.state) ? 'settled' : null;
  const renew = 'renewInSeconds' in view ? view.renewInSeconds : null;
  const offline =
    OPEN.has(view.state) && html` data-offline="${say('offline')}" data-unreachable="${say('unreachable')}"`;
  return html` data-version="${version}"${offline}${watch !== null && html` data-watch="${watch}"`}${renew !== null && html` data-renew="${renew}"`}`;
}

function renderSandboxMark(view: FormView | OutcomeView, say: Say): Html {
  return html`<div class="sandbox"><p><strong>${say('sandbox')}</strong> ${say('sandbox_note')}</p>
${view.state === 'ready' && view.testCards.length > 0 && renderTestCards(view.testCards, view.language, say)}</div>`;
}

/** Looks like the sandbox banner, because it means the same: no real money. */
function renderDemoMark(view: FormView | OutcomeView, demo: 'simulated' | 'test', say: Say): Html {
  const [name, note] =
    demo === 'simulated' ? (['simulated', 'simulated_note'] as const) : (['test_mode', 'test_mode_note'] as const);
  return html`<div class="sandbox"><p><strong>${say(name)}</strong> ${say(note)}</p>
${view.state === 'ready' && view.testCards.length > 0 && renderTestCards(view.testCards, view.language, say)}</div>`;
}

function renderBody(view: CheckoutView, say: Say): Html {
  if (view.state === 'ready' && view.live !== null) return renderLiveForm(view, view.live, say);
  if (view.state === 'ready' || view.state === 'claim') return renderForm(view, say);
  if (view.state === 'not_found' || view.state === 'unavailable') return renderWithoutOrder(view, say);
  if (view.state === 'receipt') return renderReceipt(view, say);
  return renderOutcome(view, say);
}
