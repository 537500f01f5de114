import {
  type DoubleCapture,
  type DoubleChargeback,
  type DoublePayment,
  type DoubleRefund,
  type DoubleTransaction,
  type MollieStore,
  moneyOf,
} from './mollie-store.ts';

export const PROFILE = 'pfl_double0001';

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00');
const link = (href: string) => ({ href, type: 'application/hal+json' });

export interface ViewSettings {
  url: string;
  mode: 'live' | 'test';
}

const EXPIRES_SECONDS = 900;

const OPEN_CANCELABLE: readonly string[] = ['banktransfer'];

export const isCancelable = ({ status, method }: DoublePayment): boolean =>
  status === 'open' && OPEN_CANCELABLE.includes(method);

export const viewsOf = ({ url, mode }: ViewSettings, store: MollieStore) => {
  const documentation = { href: 'https://docs.mollie.com', type: 'text/html' };
  const ofPayment = (id: string, paymentId: string, kind: string) => ({
    self: link(`${url}/v2/payments/${paymentId}/${kind}/${id}`),
    payment: link(`${url}/v2/payments/${paymentId}`),
    documentation,
  });
  const currencyOf = (paymentId: string): string => store.payments.get(paymentId)!.currency;

  const refund = ({ id, paymentId, amountMinor, status, description, metadata, createdAt }: DoubleRefund) => ({
    resource: 'refund',
    id,
    mode,
    description,
    amount: moneyOf(amountMinor, currencyOf(paymentId)),
    metadata,
    paymentId,
    status,
    createdAt: iso(createdAt),
    _links: ofPayment(id, paymentId, 'refunds'),
  });

  const capture = ({ id, paymentId, amountMinor, createdAt, status }: DoubleCapture) => ({
    resource: 'capture',
    id,
    mode,
    amount: moneyOf(amountMinor, currencyOf(paymentId)),
    status,
    metadata: null,
    paymentId,
    createdAt: iso(createdAt),
    _links: ofPayment(id, paymentId, 'captures'),
  });

  const chargeback = ({ id, paymentId, amountMinor, createdAt, reversedAt }: DoubleChargeback) => ({
    resource: 'chargeback',
    id,
    amount: moneyOf(amountMinor, currencyOf(paymentId)),
    reason: { code: '4853', description: 'Cardholder dispute' },
    paymentId,
    createdAt: iso(createdAt),
    reversedAt: reversedAt === null ? null : iso(reversedAt),
    _links: ofPayment(id, paymentId, 'chargebacks'),
  });

  const embeddedOf = (id: string, embed: readonly string[]) => {
    const all = {
      captures: store.ofPayment(store.captures, id).map(capture),
      refunds: store.ofPayment(store.refunds, id).map(refund),
      chargebacks: store.ofPayment(store.chargebacks, id).map(chargeback),
    };
    return Object.fromEntries(Object.entries(all).filter(([name]) => embed.includes(name)));
  };

  const cardDetails = ({ method, status, failureReason }: DoublePayment) =>
    method === 'creditcard' && status !== 'open'
      ? {
          details: {
            cardNumber: '6787',
            cardLabel: 'Mastercard',
            cardCountryCode: 'NL',
            ...(failureReason && { failureReason }),
          },
        }
      : {};

  const payment = (it: DoublePayment, embed: readonly string[] = []) => ({
    resource: 'payment',
    id: it.id,
    mode,
    createdAt: iso(it.createdAt),
    amount: moneyOf(it.amountMinor, it.currency),
    ...(it.status === 'paid' && {
      amountRefunded: moneyOf(store.refundedMinor(it.id), it.currency),
      amountRemaining: moneyOf(it.amountMinor - store.refundedMinor(it.id), it.currency),
      amountChargedBack: moneyOf(store.chargedBackMinor(it.id), it.currency),
    }),
    description: it.description,
    method: it.method,
    metadata: it.metadata,
    status: it.status,
    isCancelable: isCancelable(it),
    captureMode: it.captureMode,
    profileId: PROFILE,
    sequenceType: 'oneoff',
    redirectUrl: it.redirectUrl,
    cancelUrl: it.cancelUrl,
    webhookUrl: it.webhookUrl,
    ...(it.status === 'open' && { expiresAt: iso(it.createdAt + EXPIRES_SECONDS) }),
    ...cardDetails(it),
    ...(embed.length > 0 && { _embedded: embeddedOf(it.id, embed) }),
    _links: {
      self: link(`${url}/v2/payments/${it.id}`),
      ...(it.status === 'open' && { checkout: { href: `${url}/checkout/${it.id}`, type: 'text/html' } }),
      dashboard: { href: `https://my.mollie.com/dashboard/payments/${it.id}`, type: 'text/html' },
    },
  });

  const profile = () => ({
    resource: 'profile',
    id: PROFILE,
    mode,
    name: 'Pixel Forge',
    website: 'https://pixelforge.example',
    email: 'shop@pixelforge.example',
    phone: '+31208202070',
    businessCategory: 'GAMES',
    status: store.settings.profile,
    createdAt: iso(store.nowSeconds()),
    _links: { self: link(`${url}/v2/profiles/${PROFILE}`) },
  });

  const method = (id: string) => ({
    resource: 'method',
    id,
    description: id,
    minimumAmount: { currency: 'EUR', value: '0.01' },
    maximumAmount: { currency: 'EUR', value: '50000.00' },
    image: { size1x: `${url}/${id}.png`, size2x: `${url}/${id}@2x.png`, svg: `${url}/${id}.svg` },
    status: 'activated',
    _links: { self: link(`${url}/v2/methods/${id}`) },
  });

  const balance = () => {
    const nothing = { currency: 'EUR', value: '0.00' };
    return {
      resource: 'balance',
      id: 'bal_double0001',
      mode,
      createdAt: iso(store.nowSeconds()),
      currency: 'EUR',
      description: 'Primary balance',
      status: 'active',
      transferFrequency: 'daily',
      transferThreshold: nothing,
      transferReference: null,
      transferDestination: null,
      availableAmount: nothing,
      pendingAmount: nothing,
      _links: { self: link(`${url}/v2/balances/bal_double0001`) },
    };
  };

  const transaction = ({ id, type, grossMinor, feeMinor, currency, context, createdAt }: DoubleTransaction) => ({
    resource: 'balance_transaction',
    id,
    type,
    resultAmount: moneyOf(grossMinor - feeMinor, currency),
    initialAmount: moneyOf(grossMinor, currency),
    deductions: feeMinor === 0 ? null : moneyOf(-feeMinor, currency),
    context: { [type === 'outgoing-transfer' ? 'outgoing-transfer' : type]: context },
    createdAt: iso(createdAt),
  });

  return { payment, refund, capture, chargeback, profile, method, balance, transaction };
};

export type Views = ReturnType<typeof viewsOf>;
