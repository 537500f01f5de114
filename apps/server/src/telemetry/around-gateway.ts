import type { AuthorizeRequest, ChargeRef, Gateway } from '../domain/payment/providers/base/gateway.ts';

const OPERATIONS = [
  'authorize',
  'capture',
  'void',
  'refund',
  'lookUp',
  'saveMethod',
  'answerDispute',
  'acceptDispute',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface ProviderCall {
  gateway: string;
  operation: Operation;
  /** Names the payment, and never the card. */
  ref: ChargeRef & Partial<Pick<AuthorizeRequest, 'orderId'>>;
}

/** Runs the call and observes its outcome. It must return what the call returns and throw what it throws. */
export type Around = (call: ProviderCall, work: () => Promise<unknown>) => Promise<unknown>;

const isOperation = (name: PropertyKey): name is Operation => OPERATIONS.some(operation => operation === name);

/** Wraps a gateway by a proxy, because providers have methods beyond those that all of them share. */
export function aroundGateway<G extends Gateway>(gateway: G, around: Around): G {
  return new Proxy(gateway, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (!isOperation(name)) return value.bind(target);
      return (ref: ProviderCall['ref']) =>
        around({ gateway: target.name, operation: name, ref }, () => value.call(target, ref));
    },
  });
}

/** Reduces the provider's answer to one word of a small set. */
export function outcomeOf(answer: unknown): string {
  if (answer === null) return 'absent';
  if (typeof answer !== 'object') return 'done';
  if ('kind' in answer && answer.kind === 'charge' && 'charge' in answer) return outcomeOf(answer.charge);
  if ('kind' in answer && typeof answer.kind === 'string') return answer.kind;
  return 'status' in answer && typeof answer.status === 'string' ? answer.status : 'done';
}
