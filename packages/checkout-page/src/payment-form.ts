import type { Field, FieldError, FormProblem, FormView, TestCard } from './checkout-view.ts';
import { type Html, html, shared } from './html.ts';
import type { Language, Say } from './languages.ts';
import { ICONS } from './marks.ts';
import { renderGame, renderItems } from './order-summary.ts';
import { linkable, pageAddress } from './page-links.ts';

interface FieldSpec {
  name: Field;
  label: string;
  /** Additional attributes of the input. They are constants, so they are not escaped. */
  attributes: Html;
  /** Possible errors. The script shows them in the page's language when the field loses focus. */
  errors: readonly FieldError[];
  wide: boolean;
  /** A hint next to or below the input. */
  extra?: { id: string; markup: Html };
}

export function renderForm(view: FormView, say: Say): Html {
  const free = view.state === 'claim';
  const button = free ? say('claim') : say('pay_amount', { amount: view.total });
  return html`${renderPurchase(view, say)}
<section class="pay">
<form method="post" action="${pageAddress(view.base, view.chosenLanguage, free ? '/claim' : '/pay')}"${view.sandbox && html` data-sandbox="on"`}>
${renderProblem(view, say)}
${free ? renderReceiptOption(view, say) : renderCardFields(view, say)}
<button class="button" id="submit" data-working="${say('working')}">${button}</button>
</form>
${!free && html`<p class="small below">${say('charged_after_grant', { game: view.gameName })}</p>`}
${view.timeLeft !== null && renderTimeLeft(view.timeLeft, say)}
</section>`;
}

/** The purchase stands beside the form on a wide screen and above it on a phone. */
export function renderPurchase(view: FormView, say: Say): Html {
  return html`<section class="buy">
${renderWayBack(view, say)}
${renderGame(view, say, true)}
${renderItems(view, say)}
</section>`;
}

/**
 * A player who changes their mind returns to the store they came from. The link to the game appears only after the
 * grant.
 */
function renderWayBack(view: FormView, say: Say): Html | null {
  const store = linkable(view.backToStoreUrl);
  if (store === null) return null;
  return html`<a class="leave" id="leave" href="${store}" rel="noopener noreferrer">${ICONS.leave}${say('back_to_store')}</a>`;
}

/** A free order needs no data. A player who wants a receipt opens the field. */
function renderReceiptOption(view: FormView, say: Say): Html {
  const open = view.email !== '' || view.fieldErrors.email !== undefined;
  return html`<details class="wish"${open && html` open`}><summary>${say('email_optional')}</summary>
<div class="fields">${renderField(emailField(view, say), view.fieldErrors.email, say)}</div></details>`;
}

/** The script counts down from here. */
export function renderTimeLeft(timeLeft: string, say: Say): Html {
  const [before = '', after = ''] = say('time_left').split('{time}');
  return html`<p class="small below timer" role="timer">${ICONS.clock}<span>${before}<b id="time_left">${timeLeft}</b>${after}</span></p>`;
}

/** After these problems the player continues with a card, so the cursor is placed in the card number. */
const GO_ON_WITH_CARD: ReadonlySet<FormProblem> = new Set<FormProblem>([
  'declined',
  'insufficient_funds',
  'card_blocked',
  'card_expired',
  'test_cards_only',
  'challenge_failed',
  'abandoned',
]);

/** `elsewhere` is the id of the element with the other methods. */
export function renderProblem(view: FormView, say: Say, elsewhere: string | null = null): Html | null {
  if (view.problem === null) return null;
  const goesOn = GO_ON_WITH_CARD.has(view.problem);
  return html`<div class="problem" role="alert" tabindex="-1"${goesOn && html` data-go="card_number"`}>${ICONS.warn}<div>
<p>${goesOn && view.lastCard !== null && html`<b><bdi>${view.lastCard}</bdi></b> `}${say(`problem_${view.problem}`, { minutes: String(view.retryInMinutes ?? 60) })}</p>
${goesOn && elsewhere !== null && html`<p><a id="elsewhere" href="#${elsewhere}">${say('pay_another_way')}</a></p>`}
${view.sandbox && view.problemDetail !== null && html`<p><code dir="ltr">${view.problemDetail}</code></p>`}
</div></div>`;
}

function emailField(view: FormView, say: Say): FieldSpec {
  const free = view.state === 'claim';
  return {
    name: 'email',
    label: say('email'),
    attributes: html`type="email" inputmode="email" autocomplete="email" maxlength="254" dir="ltr" spellcheck="false" value="${view.email}"${!free && html` required`}`,
    errors: ['email_required', 'email_invalid'],
    wide: true,
  };
}

function cardFields(say: Say, kept: FormView['kept']): FieldSpec[] {
  const hint = say('card_cvc_hint');
  const value = (text: string | undefined): Html | false => text !== undefined && html` value="${text}"`;
  return [
    {
      name: 'card_number',
      label: say('card_number'),
      attributes: html`type="text" inputmode="numeric" autocomplete="cc-number" maxlength="32" placeholder="0000 0000 0000 0000" spellcheck="false" dir="ltr" required`,
      errors: ['card_number_required', 'card_number_invalid'],
      wide: true,
      extra: { id: 'card_number_brand', markup: html`<span class="brand" id="card_number_brand"></span>` },
    },
    {
      name: 'card_expiry',
      label: say('card_expiry'),
      attributes: html`type="text" inputmode="numeric" autocomplete="cc-exp" maxlength="9" placeholder="${say('card_expiry_example')}" dir="ltr" required${value(kept.card_expiry)}`,
      errors: ['card_expiry_required', 'card_expiry_invalid', 'card_expiry_past'],
      wide: false,
    },
    {
      name: 'card_cvc',
      label: say('card_cvc'),
      attributes: html`type="text" inputmode="numeric" autocomplete="cc-csc" maxlength="4" spellcheck="false" dir="ltr" required`,
      errors: ['card_cvc_required', 'card_cvc_invalid'],
      wide: false,
      extra: {
        id: 'card_cvc_hint',
        markup: html`<p class="hint" id="card_cvc_hint" data-usual="${hint}" data-amex="${say('card_cvc_hint_amex')}">${hint}</p>`,
      },
    },
    {
      name: 'postal_code',
      label: say('postal_code'),
      attributes: html`type="text" autocomplete="postal-code" maxlength="16" spellcheck="false" required${value(kept.postal_code)}`,
      errors: ['postal_code_required', 'postal_code_invalid'],
      wide: true,
    },
  ];
}

const faultless = new Map<Language, Html>();

function renderCardFields(view: FormView, say: Say): Html {
  return html`<div class="fields">${renderEmailField(view, say)}${renderOwnCard(view, say)}</div>`;
}

export const renderEmailField = (view: FormView, say: Say): Html =>
  renderField(emailField(view, say), view.fieldErrors.email, say);

/** The card fields without the email field. Without errors they are rendered once per language. */
export function renderOwnCard(view: FormView, say: Say): Html {
  const { email: _, ...errors } = view.fieldErrors;
  const render = () =>
    html`${cardFields(say, view.kept).map(field => renderField(field, view.fieldErrors[field.name], say))}`;
  if (Object.keys(errors).length > 0 || Object.keys(view.kept).length > 0) return render();
  const card = faultless.get(view.language) ?? shared(render());
  faultless.set(view.language, card);
  return card;
}

function renderField(field: FieldSpec, error: FieldError | undefined, say: Say): Html {
  const { name, label, attributes, errors, wide, extra } = field;
  const errorId = `${name}_error`;
  const says = JSON.stringify(Object.fromEntries(errors.map(key => [key, say(key)])));
  return html`<div class="field${wide && ' wide'}">
<label for="${name}">${label}</label>
<div class="entry"><input id="${name}" name="${name}" ${attributes} aria-describedby="${extra !== undefined && `${extra.id} `}${errorId}" data-says="${says}"${error !== undefined && html` aria-invalid="true"`}>
${extra?.markup ?? null}</div>
<p class="error" id="${errorId}" aria-live="polite">${error !== undefined && say(error)}</p>
</div>`;
}

const listed = new WeakMap<readonly TestCard[], Map<Language, Html>>();

/** Lists test cards to copy from. The script adds a button to each. Rendered once per language. */
export function renderTestCards(cards: readonly TestCard[], language: Language, say: Say): Html {
  const lists = listed.get(cards) ?? new Map<Language, Html>();
  listed.set(cards, lists);
  const list = lists.get(language) ?? shared(renderCardList(cards, say));
  lists.set(language, list);
  return list;
}

function renderCardList(cards: readonly TestCard[], say: Say): Html {
  return html`<details><summary>${say('test_cards')}</summary>
<p>${say('test_cards_note')}</p>
<ul data-use="${say('use_card')}">${cards.map(
    card =>
      html`<li><code dir="ltr">${card.number}</code><span>${say(`outcome_${card.outcome}`)} · <bdi>${card.note}</bdi></span></li>`,
  )}</ul></details>`;
}
