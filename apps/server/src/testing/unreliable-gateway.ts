import {
  type AuthorizeRequest,
  type ChargeRef,
  type Gateway,
  OutcomeUnknown,
} from '../domain/payment/gateways/gateway.ts';

export type GatewayCall = Exclude<keyof Gateway, 'name'>;

export type Fault =
  /** The request is lost: nothing happened at the provider. */
  | { kind: 'time_out_before' }
  /** The answer is lost: it happened, and the caller does not know. */
  | { kind: 'time_out_after' }
  /** Waits before the provider hears of it. */
  | { kind: 'slow_before'; until: Promise<void> }
  /** The provider has done it; the answer waits. */
  | { kind: 'slow_after'; until: Promise<void> };

export interface UnreliableGateway extends Gateway {
  /** Every call in order, also those that never reached the provider. */
  readonly calls: readonly { call: GatewayCall; paymentId: string }[];
  /** The next `times` calls of this kind meet the fault; later ones go through. Faults queue up. */
  misbehave(call: GatewayCall, fault: Fault, times?: number): void;
  /** All faults that have not struck are forgotten. */
  behave(): void;
}

async function suffer<T>(fault: Fault | undefined, work: () => Promise<T>): Promise<T> {
  if (fault?.kind === 'time_out_before') throw new OutcomeUnknown('The request timed out.');
  if (fault?.kind === 'slow_before') await fault.until;
  const answer = await work();
  if (fault?.kind === 'time_out_after') throw new OutcomeUnknown('The answer timed out.');
  if (fault?.kind === 'slow_after') await fault.until;
  return answer;
}

/** Any gateway, with a bad line in front of it. */
export function unreliableGateway(gateway: Gateway): UnreliableGateway {
  const calls: { call: GatewayCall; paymentId: string }[] = [];
  const faults: { call: GatewayCall; fault: Fault }[] = [];
  const through = <T>(call: GatewayCall, { paymentId }: ChargeRef, work: () => Promise<T>): Promise<T> => {
    calls.push({ call, paymentId });
    const at = faults.findIndex(waiting => waiting.call === call);
    const [struck] = at < 0 ? [] : faults.splice(at, 1);
    return suffer(struck?.fault, work);
  };
  return {
    name: gateway.name,
    calls,
    misbehave: (call, fault, times = 1) => faults.push(...Array.from({ length: times }, () => ({ call, fault }))),
    behave: () => faults.splice(0),
    authorize: (request: AuthorizeRequest) => through('authorize', request, () => gateway.authorize(request)),
    capture: ref => through('capture', ref, () => gateway.capture(ref)),
    void: ref => through('void', ref, () => gateway.void(ref)),
    refund: ref => through('refund', ref, () => gateway.refund(ref)),
    lookUp: ref => through('lookUp', ref, () => gateway.lookUp(ref)),
    saveMethod: ref => through('saveMethod', ref, () => gateway.saveMethod(ref)),
    dispute: ref => through('dispute', ref, () => gateway.dispute(ref)),
  };
}
