import type { AuthorizeRequest, ChargeRef, Gateway } from '../domain/payment/providers/base/gateway.ts';

const OPERATIONS = [
  'authorize',
  'capture',
  'void',
  'refund',
  'lookUp',
  'saveMethod',
  'dispute',
  'answerDispute',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface ProviderCall {
  gateway: string;
  operation: Operation;
  /** What it is about; never the card. */
  ref: ChargeRef & Partial<Pick<AuthorizeRequest, 'orderId'>>;
}

/** Runs the call and sees how it went. It must return what the call returned and throw what it threw. */
export type Around = (call: ProviderCall, work: () => Promise<unknown>) => Promise<unknown>;

const isOperation = (name: PropertyKey): name is Operation => OPERATIONS.some(operation => operation === name);

/** The same gateway, watched. A proxy, because providers have more to offer than what all of them share. */
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

/** One word for what the provider answered, out of few. */
export function outcomeOf(answer: unknown): string {
  if (answer === null) return 'absent';
  if (typeof answer !== 'object') return 'done';
  if ('kind' in answer && answer.kind === 'charge' && 'charge' in answer) return outcomeOf(answer.charge);
  if ('kind' in answer && typeof answer.kind === 'string') return answer.kind;
  return 'status' in answer && typeof answer.status === 'string' ? answer.status : 'done';
}
