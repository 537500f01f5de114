export type StripeFaultKind =
  /** The request is lost: nothing happened. */
  | { kind: 'lose_request' }
  /** It happened, and the caller gets no answer. */
  | { kind: 'lose_answer' }
  /** Nothing happened, and it says so: 409, 429, 500. */
  | { kind: 'answer'; status: number; retryAfterSeconds?: number }
  /** Nothing happened, and the refusal is stored under the request's key: repeated with it, it comes again. */
  | { kind: 'refuse'; status: number; type?: string; code?: string; param?: string }
  /** It happened, and the answer is a fault of Stripe's all the same. */
  | { kind: 'answer_after'; status: number }
  | { kind: 'delay_before'; until: Promise<void> }
  | { kind: 'delay_after'; until: Promise<void> };

export interface PlannedFault {
  /** Such as `POST /v1/payment_intents`; the whole of method and path must match. */
  at: RegExp;
  fault: StripeFaultKind;
}

/** Faults wait for the requests they are meant for, each for one. */
export function createFaults() {
  const planned: PlannedFault[] = [];
  return {
    plan: (at: RegExp, fault: StripeFaultKind, times = 1): void => {
      for (let i = 0; i < times; i++) planned.push({ at, fault });
    },
    /** A test that plans by what was sent puts its own in the place of this. */
    take(request: string, _body: string): StripeFaultKind | null {
      const index = planned.findIndex(({ at }) => at.test(request));
      return index < 0 ? null : planned.splice(index, 1)[0]!.fault;
    },
    /** What is told every answer, also one that is lost on its way; a test puts its own in the place of this. */
    onAnswer(_request: string, _body: string, _answer: { status: number; body: string }): void {},
    clear: (): void => void planned.splice(0),
  };
}
