import { type Charge, evidenceRefusal, type Gateway } from './gateway.ts';

const NOTHING: Charge = {
  status: 'authorized',
  amountMinor: 0,
  currency: '',
  brand: null,
  last4: null,
  country: null,
  responseCode: null,
  responseDescription: null,
  challengeUrl: null,
  dispute: null,
  askAgainInSeconds: null,
};

/** Free orders go the same way as paid ones; only there is nothing to reserve, capture or return. */
export const freeGateway: Gateway = {
  name: 'free',
  authorize: async () => NOTHING,
  capture: async () => ({ kind: 'charge', charge: { ...NOTHING, status: 'captured' } }),
  void: async () => ({ kind: 'charge', charge: { ...NOTHING, status: 'voided' } }),
  refund: async () => ({ kind: 'charge', charge: { ...NOTHING, status: 'refunded' } }),
  lookUp: async () => NOTHING,
  saveMethod: async () => {
    throw new Error('a free order has no method to save');
  },
  dispute: async () => null,
  answerDispute: async () => ({ kind: 'refused', refusal: evidenceRefusal(null, false) }),
};
