import type { Field, FieldError, FormView, TestCard } from './checkout-view.ts';
import { type Html, html } from './html.ts';
import type { Say } from './languages.ts';
import { ICONS } from './marks.ts';
import { renderGame, renderItems } from './order-summary.ts';

interface FieldSpec {
  name: Field;
  label: string;
  /** Our own constants: attributes of the input, without those every field has. */
  attributes: Html;
  wide: boolean;
}

export function renderForm(view: FormView, say: Say): Html {
  const free = view.state === 'claim';
  const button = free ? say('claim') : say('pay_amount', { amount: view.total });
  const fields = free ? [emailField(view, say)] : cardFields(view, say);
  return html`${renderGame(view, say, true)}
${renderItems(view, say)}
<form method="post" action="${view.base}/${free ? 'claim' : 'pay'}">
${renderProblem(view, say)}
<div class="fields">${fields.map(field => renderField(field, view.fieldErrors[field.name], say))}</div>
<button class="button" id="submit" data-working="${say('working')}">${button}</button>
</form>
${!free && html`<p class="small below">${say('charged_after_grant', { game: view.gameName })}</p>`}
${view.timeLeft !== null && html`<p class="small below">${say('time_left', { time: view.timeLeft })}</p>`}`;
}

function renderProblem(view: FormView, say: Say): Html | null {
  if (view.problem === null) return null;
  return html`<div class="problem" role="alert" tabindex="-1">${ICONS.warn}<div>
<p>${say(`problem_${view.problem}`)}</p>
${view.sandbox && view.problemDetail !== null && html`<p><code>${view.problemDetail}</code></p>`}
</div></div>`;
}

function emailField(view: FormView, say: Say): FieldSpec {
  const free = view.state === 'claim';
  return {
    name: 'email',
    label: say(free ? 'email_optional' : 'email'),
    attributes: html`type="email" inputmode="email" autocomplete="email" maxlength="254" value="${view.email}"${!free && html` required`}`,
    wide: true,
  };
}

function cardFields(view: FormView, say: Say): FieldSpec[] {
  return [
    emailField(view, say),
    {
      name: 'card_number',
      label: say('card_number'),
      attributes: html`type="text" inputmode="numeric" autocomplete="cc-number" maxlength="32" spellcheck="false" dir="ltr" required`,
      wide: true,
    },
    {
      name: 'card_expiry',
      label: say('card_expiry'),
      attributes: html`type="text" inputmode="numeric" autocomplete="cc-exp" maxlength="9" placeholder="${say('card_expiry_example')}" dir="ltr" required`,
      wide: false,
    },
    {
      name: 'card_cvc',
      label: say('card_cvc'),
      attributes: html`type="text" inputmode="numeric" autocomplete="cc-csc" maxlength="4" spellcheck="false" dir="ltr" required`,
      wide: false,
    },
    {
      name: 'postal_code',
      label: say('postal_code'),
      attributes: html`type="text" autocomplete="postal-code" maxlength="16" spellcheck="false" required`,
      wide: true,
    },
  ];
}

function renderField(field: FieldSpec, error: FieldError | undefined, say: Say): Html {
  const { name, label, attributes, wide } = field;
  const errorId = `${name}_error`;
  return html`<div class="field${wide && ' wide'}">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes}${error !== undefined && html` aria-invalid="true" aria-describedby="${errorId}"`}>
${error !== undefined && html`<p class="error" id="${errorId}">${say(error)}</p>`}
</div>`;
}

export function renderTestCards(cards: readonly TestCard[], say: Say): Html {
  return html`<details><summary>${say('test_cards')}</summary>
<p>${say('test_cards_note')}</p>
<ul>${cards.map(
    card => html`<li><code>${card.number}</code><span>${say(`outcome_${card.outcome}`)} · ${card.note}</span>
<button type="button" data-card="${card.number}" aria-label="${say('use_card')} ${card.number}" hidden>${say('use_card')}</button></li>`,
  )}</ul></details>`;
}
