import type { Charge, Refusal } from '../../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import {
  type AuthorizeRequest,
  type ChargeRef,
  type Gateway,
  OutcomeUnknown,
  type StepAnswer,
} from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';

export type GatewayCall = Exclude<keyof Gateway, 'name' | 'fileRules' | 'previewEvidence'>;

export type Fault =
  /** The request is lost: nothing happened at the provider. */
  | { kind: 'time_out_before' }
  /** The answer is lost: it happened, and the caller does not know. */
  | { kind: 'time_out_after' }
  /** Waits before the provider hears of it. */
  | { kind: 'slow_before'; until: Promise<void> }
  /** The provider has done it; the answer waits. */
  | { kind: 'slow_after'; until: Promise<void> }
  /** A clear no to authorize, capture, void or refund: nothing happened. */
  | { kind: 'refuse'; refusal: Refusal };

export interface UnreliableGateway extends Gateway {
  /** Every call in order, also those that never reached the provider. */
  readonly calls: readonly { call: GatewayCall; paymentId: string }[];
  /** The next `times` calls of this kind meet the fault; later ones go through. Faults queue up. */
  misbehave(call: GatewayCall, fault: Fault, times?: number): void;
  /** From now on the provider says this of the charge, whatever it holds: a dispute, a refund that failed. Null ends it. */
  pretend(paymentId: string, changes: Partial<Charge> | null): void;
  /** All faults that have not struck are forgotten, and nothing is pretended. */
  behave(): void;
}

/** A no of the shop's that may pass, unless told. */
export const refusal = (changes: Partial<Refusal> = {}): Refusal => ({
  whose: 'shop',
  code: 'provider_refused',
  reason: 'The payment provider refused.',
  param: null,
  requestId: 'req_of_a_test',
  isFinal: false,
  ...changes,
});

const declinedBy = ({ amountMinor, currency }: AuthorizeRequest, no: Refusal): Charge => ({
  status: 'declined',
  amountMinor,
  currency,
  brand: null,
  last4: null,
  country: null,
  responseCode: no.code,
  responseDescription: no.reason,
  challengeUrl: null,
  disputes: [],
  askAgainInSeconds: null,
  declinedBy: no.whose,
  refusal: no,
});

async function suffer<T>(fault: Fault | undefined, work: () => Promise<T>, refuse?: (no: Refusal) => T): Promise<T> {
  if (fault?.kind === 'time_out_before') throw new OutcomeUnknown('The request timed out.');
  if (fault?.kind === 'refuse') {
    if (!refuse) throw new Error('This call cannot be refused.');
    return refuse(fault.refusal);
  }
  if (fault?.kind === 'slow_before') await fault.until;
  const answer = await work();
  if (fault?.kind === 'time_out_after') throw new OutcomeUnknown('The answer timed out.');
  if (fault?.kind === 'slow_after') await fault.until;
  return answer;
}

const refused = (no: Refusal): StepAnswer => ({ kind: 'refused', refusal: no });

/** Any gateway, with a bad line in front of it. */
export function unreliableGateway(gateway: Gateway): UnreliableGateway {
  const calls: { call: GatewayCall; paymentId: string }[] = [];
  const faults: { call: GatewayCall; fault: Fault }[] = [];
  const pretended = new Map<string, Partial<Charge>>();
  const through = <T>(
    call: GatewayCall,
    { paymentId }: ChargeRef,
    work: () => Promise<T>,
    refuse?: (no: Refusal) => T,
  ): Promise<T> => {
    calls.push({ call, paymentId });
    const at = faults.findIndex(waiting => waiting.call === call);
    const [struck] = at < 0 ? [] : faults.splice(at, 1);
    return suffer(struck?.fault, work, refuse);
  };
  const seen = <C extends Charge | null>({ paymentId }: ChargeRef, charge: C): C =>
    charge && { ...charge, ...pretended.get(paymentId) };
  const seenIn = async <A extends StepAnswer | { kind: 'pending'; charge: Charge }>(
    ref: ChargeRef,
    answering: Promise<A>,
  ): Promise<A> => {
    const answer = await answering;
    return answer.kind === 'refused' ? answer : { ...answer, charge: seen(ref, answer.charge) };
  };
  return {
    name: gateway.name,
    calls,
    misbehave: (call, fault, times = 1) => faults.push(...Array.from({ length: times }, () => ({ call, fault }))),
    pretend: (paymentId, changes) => void (changes ? pretended.set(paymentId, changes) : pretended.delete(paymentId)),
    behave: () => {
      faults.splice(0);
      pretended.clear();
    },
    authorize: (request: AuthorizeRequest) =>
      through(
        'authorize',
        request,
        () => gateway.authorize(request),
        no => declinedBy(request, no),
      ),
    capture: ref =>
      seenIn(
        ref,
        through('capture', ref, () => gateway.capture(ref), refused),
      ),
    void: ref =>
      seenIn(
        ref,
        through('void', ref, () => gateway.void(ref), refused),
      ),
    refund: ref =>
      seenIn(
        ref,
        through('refund', ref, () => gateway.refund(ref), refused),
      ),
    lookUp: async ref => seen(ref, await through('lookUp', ref, () => gateway.lookUp(ref))),
    saveMethod: ref => through('saveMethod', ref, () => gateway.saveMethod(ref)),
    answerDispute: request =>
      through(
        'answerDispute',
        request,
        () => gateway.answerDispute(request),
        no => ({ kind: 'refused', refusal: no }),
      ),
    ...(gateway.acceptDispute && {
      acceptDispute: request =>
        through(
          'acceptDispute',
          request,
          () => gateway.acceptDispute!(request),
          no => ({ kind: 'refused', refusal: no }),
        ),
    }),
    ...(gateway.fileRules && { fileRules: gateway.fileRules }),
    ...(gateway.previewEvidence && { previewEvidence: gateway.previewEvidence }),
  };
}
