import { newId } from '../../../kit/ids.ts';
import { decimalText } from '../../../kit/money.ts';
import type { Charge, ChargeStatus, Refusal } from '../providers/base/charge-shape.ts';
import type { AuthorizeRequest, RefundAnswer } from '../providers/base/gateway.ts';
import type { AnsweredCall, Inspection, OpenedAccount, Provider } from '../providers/base/provider.ts';

export interface TryOptions {
  provider: Provider;
  account: OpenedAccount;
  currency: string;
  site: Inspection;
  write: (line: string) => void;
  /** What the provider answered since it was last asked for. */
  takeAnswers: () => AnsweredCall[];
  /** Between two looks at what the operator approves in a browser. */
  pause: () => Promise<void>;
  looks: number;
}

/** The provider answered otherwise than this program assumes. */
export class TrialFailed extends Error {}

const AMOUNT_MINOR = 500;
const NAME_WIDTH = 11;

const refusalText = ({ whose, code, reason, param, requestId }: Refusal): string =>
  [`refused (${whose}): ${code}`, reason, param && `parameter ${param}`, requestId && `request ${requestId}`]
    .filter(part => part !== null && part !== '')
    .join(', ');

function chargeText({ status, amountMinor, currency, providerId, fee, refusal }: Charge): string {
  const parts = [status, `${decimalText(amountMinor, currency)} ${currency}`, providerId];
  const cost = fee && `fee ${decimalText(fee.amountMinor, fee.currency)} ${fee.currency}`;
  return [...parts, cost, refusal && refusalText(refusal)].filter(Boolean).join(', ');
}

const answeredText = ({ call, status, requestId }: AnsweredCall): string =>
  [call, status, requestId ?? 'without a request id'].join('  ');

/** One payment from reservation to refund with the provider's test keys, each answer written down. */
export async function tryProvider(options: TryOptions): Promise<void> {
  const { provider, account, currency, site, write } = options;
  const { gateway } = provider;
  const report = (step: string, answer: string): void => {
    write(`${step.padEnd(NAME_WIDTH)}${answer}`);
    for (const made of options.takeAnswers()) write(`${' '.repeat(NAME_WIDTH)}${answeredText(made)}`);
  };

  const expectStatus = (step: string, charge: Charge | null, wanted: ChargeStatus): void => {
    report(step, charge ? chargeText(charge) : 'the provider has no such payment');
    if (charge?.status !== wanted) throw new TrialFailed(`${step}: expected ${wanted}.`);
  };
  const expectAnswer = (step: string, answer: RefundAnswer, wanted: ChargeStatus): void => {
    if (answer.kind === 'refused') {
      report(step, refusalText(answer.refusal));
      throw new TrialFailed(`${step}: expected ${wanted}.`);
    }
    if (answer.kind === 'pending') report(step, 'pending: the bank takes days');
    else expectStatus(step, answer.charge, wanted);
  };

  for (const { check, state, about, advice } of await provider.inspect(account, site)) {
    if (state !== 'ok' || advice) report('check', [check, about, state, advice?.en].filter(Boolean).join(', '));
  }
  const request: AuthorizeRequest = {
    environmentId: newId('env'),
    paymentId: newId('pay'),
    orderId: newId('ord'),
    amountMinor: Math.max(AMOUNT_MINOR, provider.abilities.amountRange(currency).min),
    currency,
    payWith: await provider.testPayment(account),
    returnUrl: 'https://example.com/c/trial',
  };
  let charge: Charge | null = await gateway.authorize(request);
  const approveAt = charge.nextAction?.redirectUrl ?? charge.challengeUrl;
  if (charge.status === 'requires_action' && approveAt) {
    report('approve', `open ${approveAt} and pay with a test account`);
    for (let look = 0; look < options.looks && charge?.status === 'requires_action'; look++) {
      await options.pause();
      charge = await gateway.lookUp(request);
    }
  }
  expectStatus('authorize', charge, 'authorized');
  expectStatus('ask', await gateway.lookUp(request), 'authorized');
  expectAnswer('capture', await gateway.capture(request), 'captured');
  expectAnswer('refund', await gateway.refund(request), 'refunded');
}
