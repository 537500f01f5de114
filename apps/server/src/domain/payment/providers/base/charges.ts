import { reasons } from '@coinslot/texts/reasons';
import type { Charge, Dispute, DisputeStatus, Fee, Refusal } from './charge-shape.ts';
import type { Gateway } from './gateway.ts';
import { type ShopProblem, shopProblemText } from './problems.ts';

/** A charge of which the provider has said nothing yet but that it exists. */
export const PLAIN_CHARGE = {
  amountMinor: 0,
  currency: '',
  brand: null,
  last4: null,
  country: null,
  responseCode: null,
  responseDescription: null,
  challengeUrl: null,
  disputes: [],
  askAgainInSeconds: null,
} as const satisfies Omit<Charge, 'status'>;

type Whose = Refusal['whose'];

/** A refusal that no later call changes, unless `more` says otherwise. */
export const refusal = (whose: Whose, code: string, reason: string, more: Partial<Refusal> = {}): Refusal => ({
  whose,
  code,
  reason,
  param: null,
  requestId: null,
  isFinal: true,
  ...more,
});

type OwnCode<Key = keyof typeof reasons.languages.en> = Key extends `refusal.${infer Code}` ? Code : never;

/** A refusal in our words, whichever the provider. */
export const ownRefusal = (whose: Whose, code: OwnCode, more?: Partial<Refusal>): Refusal =>
  refusal(whose, code, reasons.languages.en[`refusal.${code}`], more);

export type Refused = { kind: 'refused'; refusal: Refusal };

export const refused = (...given: Parameters<typeof ownRefusal>): Refused => ({
  kind: 'refused',
  refusal: ownRefusal(...given),
});

export const CHARGE_MISSING = refused('shop', 'charge_missing');

/** Why a charge is declined. The code on the payment's record is the bank's own, or one of ours for what is the shop's. */
export interface Decline {
  code: string;
  refusal: Refusal;
}

/** Found here, before the provider was asked, or in our own words: never the bank's. */
export const shopDecline = (code: ShopProblem, more: Partial<Refusal> = {}): Decline => ({
  code,
  refusal: refusal('shop', code, shopProblemText(code), more),
});

export const declinedCharge = (
  { amountMinor, currency, ...known }: Partial<Charge> & Pick<Charge, 'amountMinor' | 'currency'>,
  { code, refusal: why }: Decline,
): Charge => ({
  ...PLAIN_CHARGE,
  ...known,
  amountMinor,
  currency,
  status: 'declined',
  responseCode: code,
  responseDescription: why.reason,
  declinedBy: why.whose,
  refusal: why,
});

/** Stands for disputes that the provider has and does not let us read: what they are about is not known. */
export const UNREADABLE_DISPUTE = 'unreadable';

/** What decides where a payment goes. What was lost stays lost; what is unclear or open is waited for. */
const LEADING: readonly DisputeStatus[] = ['lost', 'prevented', 'unclear', 'open', 'inquiry', 'won'];

export function leadingDispute({ disputes }: Pick<Charge, 'disputes'>): Dispute | null {
  if (disputes.length === 0) return null;
  return LEADING.map(wanted => disputes.find(({ status }) => status === wanted)).find(Boolean) ?? null;
}

const UNDECIDED: readonly DisputeStatus[] = ['inquiry', 'open', 'unclear'];

export const isUndecided = ({ status }: Pick<Dispute, 'status'>): boolean => UNDECIDED.includes(status);

const HELD: readonly DisputeStatus[] = ['lost', 'unclear', 'open'];

/** An inquiry ends with a refund; what a bank has taken, or may have, is not returned a second time. */
export const isHeldByBank = ({ disputes }: Pick<Charge, 'disputes'>): boolean =>
  disputes.some(({ status }) => HELD.includes(status));

/** The provider has returned the money, or a part of it, before the bank opened a dispute. */
export const isReturnedInTime = ({ disputes }: Pick<Charge, 'disputes'>): boolean =>
  disputes.some(({ status }) => status === 'prevented');

export const disputedRefusal = (isFinal: boolean): Refused => refused('bank', 'charge_disputed', { isFinal });

const FREE: Charge = { ...PLAIN_CHARGE, status: 'authorized' };

/** Free orders go the same way as paid ones; only there is nothing to reserve, capture or return. */
export const freeGateway: Gateway = {
  name: 'free',
  authorize: async () => FREE,
  capture: async () => ({ kind: 'charge', charge: { ...FREE, status: 'captured' } }),
  void: async () => ({ kind: 'charge', charge: { ...FREE, status: 'voided' } }),
  refund: async () => ({ kind: 'charge', charge: { ...FREE, status: 'refunded' } }),
  lookUp: async () => FREE,
  saveMethod: async () => {
    throw new Error('a free order has no method to save');
  },
  answerDispute: async () => refused('bank', 'dispute_missing'),
};

/** A fee that no column can hold is left out: it must not keep what became of the money from being recorded. */
export const storableFee = (fee: Fee | null | undefined): Fee | null =>
  fee && Number.isSafeInteger(fee.amountMinor) ? fee : null;
