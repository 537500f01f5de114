import type { FieldErrors } from '@coinslot/checkout-page';
import type { LiveProvider, RoutedMethod } from '../../domain/payment/methods/live-routing.ts';
import type { PayWith } from '../../domain/payment/providers/base/gateway.ts';
import type { LiveFacts } from '../../domain/purchase/checkout/live-facts.ts';
import { offeredTypes } from './live-view.ts';
import { checkEmail, formText, readPayForm } from './read-form.ts';

export type LivePayForm =
  | {
      email: string;
      method: string;
      payWith: PayWith;
      saveMethod: boolean;
      by: LiveProvider;
      fallback?: LiveProvider | null;
    }
  | { email: string; fieldErrors: FieldErrors; kept?: Record<string, string>; problem?: 'method' };

/** What the provider's script calls it, or what we do. */
function offeredMethod({ offer }: LiveFacts, name: string): RoutedMethod | undefined {
  if (!('methods' in offer)) return undefined;
  return (
    offer.methods.find(({ id }) => id === name) ?? offer.methods.find(({ id, by }) => by.form?.typeOf(id) === name)
  );
}

/** Only what is offered for this order is taken, whatever the browser sends. A card number is read for the simulator alone. */
export function readLivePayForm(body: unknown, live: LiveFacts, now: Date): LivePayForm {
  const email = formText(body, 'email').trim();
  const chosen = offeredMethod(live, formText(body, 'wallet') || formText(body, 'method') || 'card');
  if (!chosen) return { email, fieldErrors: {}, problem: 'method' };
  const saveMethod = formText(body, 'save_method') === 'on' && chosen.canSave && chosen.by.abilities.savesMethods;
  const { by } = chosen;
  if (chosen.id === 'card' && chosen.by.isSimulated) {
    const form = readPayForm(body, now, true);
    if ('fieldErrors' in form) return form;
    return { email, by, method: chosen.id, payWith: { kind: 'card', card: form.card }, saveMethod };
  }
  const emailError = checkEmail(email);
  if (emailError) return { email, fieldErrors: { email: emailError } };
  const payWith = otherWay(body, live, chosen);
  // Where the provider has a form of its own, only that form asks for what saving a method needs.
  const isKept = saveMethod && (payWith?.kind !== 'redirect' || chosen.by.form === null);
  return payWith
    ? { email, by, fallback: chosen.fallback ?? null, method: chosen.id, payWith, saveMethod: isKept }
    : { email, fieldErrors: {}, problem: 'method' };
}

/** What the page's form was drawn with, as long as all of it is still offered. */
function drawnWith(body: unknown, { offer, provider }: LiveFacts): string[] | null {
  const { form } = provider;
  const own = 'methods' in offer ? offer.methods.filter(({ by }) => by === provider) : [];
  const now = form ? offeredTypes(form, own) : [];
  const said = formText(body, 'offered');
  const drawn = said === '' ? now : said.split(' ');
  return drawn.every(type => now.includes(type)) ? drawn : null;
}

function otherWay(body: unknown, live: LiveFacts, { id, leavesPage, by }: RoutedMethod): PayWith | null {
  const token = formText(body, 'provider_token');
  // What a form made is good for the account alone whose form it is.
  if (by.form !== null && by === live.provider && /^\w{1,255}$/.test(token)) {
    const offered = drawnWith(body, live);
    return offered && { kind: 'provider_token', token, offered };
  }
  // Whatever has fields of its own needs the provider's form for them. Without one the player leaves, with cards too.
  return by.form === null || leavesPage ? { kind: 'redirect', method: id } : null;
}
