/**
 * What a studio wants to know of its payment page: how many orders were opened, how often somebody began to type a card,
 * sent the form, was asked by the bank, and went away before the end. Numbers alone, so nobody is tracked.
 */
export const CHECKOUT_EVENTS = ['opened', 'method_chosen', 'submitted', 'challenge_shown', 'left'] as const;
export type CheckoutEvent = (typeof CHECKOUT_EVENTS)[number];

export interface CheckoutCount {
  environmentId: string;
  event: CheckoutEvent;
  count: number;
}
