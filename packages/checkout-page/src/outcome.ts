import type { NoOrderView, OutcomeView } from './checkout-view.ts';
import { type Html, html } from './html.ts';
import type { Say, TextKey } from './languages.ts';
import { renderProviderScript } from './live-form.ts';
import { ICONS } from './marks.ts';
import { renderGame, renderItems } from './order-summary.ts';
import { linkable, pageAddress, picture } from './page-links.ts';
import { renderFacts } from './receipt-page.ts';

interface Seal {
  icon: keyof typeof ICONS;
  tone: 'good' | 'warn' | 'bad' | 'calm';
}

const SEALS: Record<(OutcomeView | NoOrderView)['state'], Seal> = {
  paying: { icon: 'wait', tone: 'calm' },
  checking: { icon: 'wait', tone: 'calm' },
  challenge: { icon: 'shield', tone: 'calm' },
  asking: { icon: 'wait', tone: 'calm' },
  awaiting: { icon: 'clock', tone: 'calm' },
  waiting_no_webhook: { icon: 'plug', tone: 'warn' },
  done: { icon: 'good', tone: 'good' },
  receipt: { icon: 'good', tone: 'good' },
  rejected: { icon: 'no', tone: 'bad' },
  canceled: { icon: 'no', tone: 'calm' },
  expired: { icon: 'clock', tone: 'calm' },
  refund_requested: { icon: 'back', tone: 'calm' },
  refunded: { icon: 'back', tone: 'calm' },
  disputed: { icon: 'search', tone: 'warn' },
  charged_back: { icon: 'back', tone: 'warn' },
  not_connected: { icon: 'plug', tone: 'warn' },
  not_found: { icon: 'search', tone: 'calm' },
  unavailable: { icon: 'warn', tone: 'warn' },
};

export function renderOutcome(view: OutcomeView, say: Say): Html {
  return html`${renderGame(view, say, false)}
${renderMessage(view, outcomeLines(view, say), renderActions(view, say), say)}
${renderItems(view, say)}`;
}

export function renderWithoutOrder(view: NoOrderView, say: Say): Html {
  const again = html`<a class="button" href="${pageAddress(view.base, view.chosenLanguage)}">${say('try_again')}</a>`;
  const isNotCharged = view.state === 'unavailable' && view.notCharged === true;
  return renderMessage(
    view,
    [say(isNotCharged ? 'canceled_text' : `${view.state}_text`)],
    view.state === 'unavailable' ? again : null,
    say,
  );
}

export function outcomeTitle(view: OutcomeView | NoOrderView, say: Say): string {
  if (view.state === 'receipt') return say('receipt');
  return say(isAlreadyPaid(view) ? 'already_paid_title' : `${view.state}_title`);
}

function renderMessage(view: OutcomeView | NoOrderView, lines: string[], actions: Html | null, say: Say): Html {
  const { icon, tone } = SEALS[view.state];
  return html`<section class="outcome ${tone}">
<div>
<div class="seal ${tone}">${ICONS[icon]}</div>
<h1>${outcomeTitle(view, say)}</h1>
${lines.map(line => html`<p class="text">${line}</p>`)}
${view.state === 'awaiting' && renderSlip(view, say)}
${'facts' in view && !(view.state === 'done' && view.free) && renderFacts(view.facts, say, view.facts.hasReceipt ? renderReceiptLink(view, say) : null)}
</div>
${actions}
</section>`;
}

const renderReceiptLink = (view: OutcomeView | NoOrderView, say: Say): Html =>
  html`<div><dt></dt><dd><a href="${pageAddress(view.base, view.chosenLanguage, '/receipt')}">${say('view_receipt')}</a></dd></div>`;

function renderActions(view: OutcomeView, say: Say): Html | null {
  if (view.state === 'challenge') {
    if (view.by === 'provider') return html`${renderContinue(view, say)}${renderPayAnotherWay(view, say)}`;
    return html`${renderChallenge(view, 'complete', say)}${renderChallenge(view, 'fail', say)}`;
  }
  if (view.state === 'awaiting') {
    return html`${renderSlipLink(view, say)}${view.kind === 'voucher' && renderPayAnotherWay(view, say)}${renderWaysBack(view, say)}`;
  }
  const stay = view.state === 'paying' || view.state === 'checking' || (view.state === 'asking' && !view.mayClose);
  return stay ? null : html`${renderWaysBack(view, say)}${opensByItself(view) && renderOpening(view, say)}`;
}

const opensByItself = (view: OutcomeView): boolean =>
  view.state === 'done' && !view.earlier && linkable(view.backToGameUrl) !== null;

/** The page cannot tell whether the app opened, so the button stays, with this hint. */
function renderOpening(view: OutcomeView, say: Say): Html {
  return html`<p class="small below">${say('done_open', { game: view.gameName })}</p>`;
}

function renderChallenge(view: OutcomeView, result: 'complete' | 'fail', say: Say): Html {
  return html`<form method="post" action="${pageAddress(view.base, view.chosenLanguage, '/challenge')}">
<input type="hidden" name="result" value="${result}">
<button class="button${result === 'fail' && ' plain'}">${say(`challenge_${result}`)}</button>
</form>`;
}

/** Links to the bank, so that it works without script. With script, the provider asks on this page. */
function renderContinue(view: OutcomeView, say: Say): Html {
  return html`<a class="button" id="continue" href="${pageAddress(view.base, view.chosenLanguage, '/continue')}" data-working="${say('working')}">${say('challenge_continue')}</a>
${view.provider !== null && renderProviderScript(view.provider, say)}`;
}

function renderPayAnotherWay(view: OutcomeView, say: Say): Html {
  return html`<form method="post" action="${pageAddress(view.base, view.chosenLanguage, '/give-up')}">
<button class="button plain">${say('pay_another_way')}</button>
</form>`;
}

type Awaiting = Extract<OutcomeView, { state: 'awaiting' }>;

function renderSlip({ reference, until }: Awaiting, say: Say): Html | null {
  if (reference === null && until === null) return null;
  return html`<dl class="slip">${reference !== null && html`<div><dt>${say('awaiting_reference')}</dt><dd dir="ltr">${reference}</dd></div>`}${until !== null && html`<div><dt>${say('awaiting_until')}</dt><dd>${until}</dd></div>`}</dl>`;
}

function renderSlipLink({ slipUrl }: Awaiting, say: Say): Html | null {
  const url = picture(slipUrl);
  return url === null
    ? null
    : html`<a class="button" href="${url}" target="_blank" rel="noopener noreferrer">${say('awaiting_open')}</a>`;
}

function renderWaysBack(view: OutcomeView, say: Say): Html {
  const game = linkable(view.backToGameUrl);
  const store = linkable(view.backToStoreUrl);
  // While a payment slip is unpaid, the main action is the slip, not the link back.
  const isAside = view.state === 'awaiting' && picture(view.slipUrl) !== null;
  return html`${
    game !== null &&
    html`<a class="button${isAside && ' plain'}" id="back_to_game" href="${game}" rel="noopener noreferrer">${say('back_to_game', { game: view.gameName })}</a>`
  }${
    store !== null &&
    html`<a class="button${(isAside || game !== null) && ' plain'}" id="back_to_store" href="${store}" rel="noopener noreferrer">${say('back_to_store')}</a>`
  }`;
}

/** Says what happened, whether money moved, and what to do. */
function outcomeLines(view: OutcomeView, say: Say): string[] {
  const method = view.state === 'awaiting' ? view.method : '';
  const text = say(mainText(view), { game: view.gameName, amount: view.total, method });
  if (view.state === 'awaiting') return [text, ...notRefundable(view, say), mayClose(view.receiptEmail, say)];
  if (view.state === 'waiting_no_webhook')
    return [text, say('waiting_no_webhook_next'), mayClose(view.receiptEmail, say)];
  if (view.state === 'asking' && view.mayClose) return [text, mayClose(view.receiptEmail, say)];
  if (view.state === 'done' && view.receiptEmail !== null && !view.earlier)
    return [text, say('done_receipt', { email: view.receiptEmail })];
  if (view.state === 'rejected' && view.message !== null)
    return [say('game_says', { game: view.gameName, message: view.message }), text];
  return [text];
}

const notRefundable = ({ refundable, method, gameName }: Awaiting, say: Say): string[] =>
  refundable ? [] : [say('not_refundable', { methods: method, game: gameName })];

const mayClose = (email: string | null, say: Say): string => say(email === null ? 'may_close' : 'may_close_email');

const isAlreadyPaid = (view: OutcomeView | NoOrderView): boolean => view.state === 'done' && view.earlier && !view.free;

function mainText(view: OutcomeView): TextKey {
  const { state, free } = view;
  if (state === 'receipt') return 'receipt';
  if (state === 'not_connected') return `not_connected_${view.missing}`;
  if (state === 'challenge' && view.by === 'provider') return 'challenge_live_text';
  if (state === 'paying' && view.slow) return 'paying_slow';
  if (state === 'awaiting') return `awaiting_${view.kind}`;
  if (state === 'rejected' && view.owed) return 'rejected_owed_text';
  if (state === 'rejected' && view.returned) return 'rejected_returned_text';
  if (state === 'asking' && view.late) return free ? 'asking_late_free_text' : 'asking_late_text';
  if (free && (state === 'asking' || state === 'waiting_no_webhook')) return `${state}_free_text`;
  // No money was reserved for a free order.
  if (free && state === 'rejected') return 'canceled_text';
  return isAlreadyPaid(view) ? 'already_paid_text' : `${state}_text`;
}
