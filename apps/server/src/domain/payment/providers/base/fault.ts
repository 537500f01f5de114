import { AppError } from '../../../../kit/app-error.ts';
import type { Refusal } from './charge-shape.ts';
import { type Decline, refusal, shopDecline } from './charges.ts';
import { OutcomeUnknown } from './gateway.ts';
import {
  type AccountProblem,
  type PaymentProblem,
  type RefusedAccount,
  type ShopProblem,
  shopProblemText,
} from './problems.ts';

/** An error of a provider as its folder reads it. It never holds what was sent. */
export interface FaultFacts {
  /** Undefined: no answer came. */
  statusCode?: number | undefined;
  code: string;
  param?: string | null | undefined;
  requestId?: string | null | undefined;
  /** The provider's own sentence, for the member who sets an account up. In no log: it may quote what was sent. */
  said?: string | null | undefined;
  /** Where the player must go before it can be done. */
  actionUrl?: string | null | undefined;
  /** The connection was refused or broke. An answer that was waited for in vain is something else. */
  isCutOff?: boolean | undefined;
  /** There was no connection at all, so nothing was sent. */
  isUnsent?: boolean | undefined;
}

/** Of a connection that was never made. What breaks one that was may come after the call was done. */
const UNSENT: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** How a call failed for which no answer came, by the code of the socket's error. */
export const brokenOff = (code: unknown, isTimeout: boolean): Pick<FaultFacts, 'isCutOff' | 'isUnsent'> => ({
  isCutOff: !isTimeout,
  isUnsent: UNSENT.includes(code),
});

/** What a provider's errors mean. A code that stands nowhere is the shop's fault, and may pass. */
export interface FaultRules<Facts extends FaultFacts> {
  title: string;
  /** The call may have been done all the same. */
  isUncertain(facts: Facts): boolean;
  /** The provider repeats this answer under the same idempotency key: the next call takes another. */
  isStored(facts: Facts): boolean;
  /** What was asked for by its name is not there. */
  isMissing(facts: Facts): boolean;
  accountProblemOf(facts: Facts): AccountProblem | null;
  paymentProblemOf(facts: Facts): PaymentProblem;
  /** What a bank, the method or the player said, in plain words; null: it is the shop's. */
  declineOf(facts: Facts): { code: string; reason: string } | null;
  /** Why a capture, a release or a refund is refused, in plain words; undefined: the code says nothing of its own there. */
  stepReasonOf(code: string): string | undefined;
  /** Those of them that no later call changes. The others pass: a person puts it right, or time does. */
  final: readonly string[];
  /** Those of them that a bank says. */
  banks: readonly string[];
  /** A bank's decline of a capture or a refund is final too. */
  areDeclinesFinal: boolean;
}

const TOO_MANY_REQUESTS = 429;
/** Too much to do, or a proxy in front of the provider that reaches nothing behind it. */
const PASSING: readonly number[] = [TOO_MANY_REQUESTS, 502, 503];
const IN_USE = 409;
const BEFORE_KEY: readonly number[] = [401, 403, TOO_MANY_REQUESTS];

const MOST_CHARS = 300;
const LONGEST_WORD = 24;

/** Keys, tokens and addresses of people, which a provider may repeat in its sentence. A permission's name is in small letters. */
const isPrivate = (word: string): boolean =>
  word.length > LONGEST_WORD || word.includes('@') || (word.includes('_') && /[^a-z_'".,]/.test(word));

/** Short, and without what must stand on no screen. */
const quotable = (said: string): string =>
  said
    .slice(0, MOST_CHARS)
    .split(' ')
    .map(word => (isPrivate(word) ? '…' : word))
    .join(' ');

/** A provider's clear no, or its silence, judged once where it comes in. */
export class ProviderFault<Facts extends FaultFacts = FaultFacts> extends Error {
  readonly facts: Facts;
  readonly code: string;
  readonly statusCode: number | undefined;
  readonly #rules: FaultRules<Facts>;

  constructor(facts: Facts, rules: FaultRules<Facts>) {
    super(`${rules.title} answered with ${facts.statusCode ?? 'nothing'}: ${facts.code}`);
    this.facts = facts;
    this.code = facts.code;
    this.statusCode = facts.statusCode;
    this.#rules = rules;
  }

  get isUncertain(): boolean {
    return this.#rules.isUncertain(this.facts);
  }

  /** The same call may go through in a moment. A key is in use while the provider still works on a call whose connection broke. */
  isPassing(isRepeated: boolean): boolean {
    const { statusCode = 0, isCutOff = false } = this.facts;
    return isCutOff || PASSING.includes(statusCode) || (isRepeated && statusCode === IN_USE);
  }

  /** What this one call may have left behind at the provider. */
  get mayBeDone(): boolean {
    return this.isUncertain && !this.facts.isUnsent;
  }

  /** Said before the provider looked for the key, so it says nothing of an earlier call under it. */
  get isBeforeKey(): boolean {
    return BEFORE_KEY.includes(this.statusCode ?? 0);
  }

  get isStored(): boolean {
    return this.#rules.isStored(this.facts);
  }

  get isMissing(): boolean {
    return this.#rules.isMissing(this.facts);
  }

  get accountProblem(): AccountProblem | null {
    return this.#rules.accountProblemOf(this.facts);
  }

  get problem(): ShopProblem {
    return this.accountProblem ?? this.#rules.paymentProblemOf(this.facts);
  }

  get #trace(): Pick<Refusal, 'param' | 'requestId'> {
    return { param: this.facts.param ?? null, requestId: this.facts.requestId ?? null };
  }

  /** Of an error that says for sure that no money was taken. */
  get refusal(): Refusal {
    const said = this.#rules.declineOf(this.facts);
    if (said) return refusal('bank', said.code, said.reason, this.#trace);
    return refusal('shop', this.code, shopProblemText(this.problem), { isFinal: false, ...this.#trace });
  }

  /** The same for a capture, a release or a refund, which are refused for reasons of their own. */
  get stepRefusal(): Refusal {
    const { final, banks, areDeclinesFinal } = this.#rules;
    const isFinal = final.includes(this.code);
    const reason = this.#rules.stepReasonOf(this.code);
    if (reason === undefined) return { ...this.refusal, ...(!areDeclinesFinal && { isFinal: false }) };
    const isBanks = banks.includes(this.code) || this.#rules.declineOf(this.facts) !== null;
    return refusal(isBanks ? 'bank' : 'shop', this.code, reason, { isFinal, ...this.#trace });
  }

  get decline(): Decline {
    const why = this.refusal;
    return { code: why.whose === 'shop' ? this.problem : why.code, refusal: why };
  }

  /** For questions about an account that a member waits for. */
  asAccountProblem(): RefusedAccount {
    const problem = this.accountProblem;
    const { title } = this.#rules;
    const { said, statusCode } = this.facts;
    if (problem) return { problem, said: said ? quotable(said) : null };
    // Its clear no: that it cannot be reached would send the member to wait for nothing.
    const isNo = statusCode !== undefined && statusCode >= 400 && statusCode < 500 && statusCode !== TOO_MANY_REQUESTS;
    if (isNo && !this.isUncertain) {
      const sentence = said ? `: “${quotable(said)}”` : '';
      throw new AppError('provider_refused_setup', { detail: `${title} answered ${this.code}${sentence}` });
    }
    const how = statusCode === undefined ? 'cannot be reached' : `answered with ${statusCode}`;
    throw new AppError('provider_unreachable', { detail: `${title} ${how}. Nothing was changed.` });
  }
}

/** The fault behind an error: the provider's answer itself, or what was turned into "not known". */
export const faultIn = (error: unknown): ProviderFault | null => {
  const fault = error instanceof OutcomeUnknown ? error.cause : error;
  return fault instanceof ProviderFault ? fault : null;
};

/** Nothing was reserved, and another connection or another moment may do. Null: not the provider's doing. */
export function busyDecline(error: unknown): Decline | null {
  const fault = faultIn(error);
  return fault && shopDecline('provider_busy', { requestId: fault.facts.requestId ?? null, isFinal: false });
}

/** A clear no to a step. Whatever else it is, the outcome is not known, and the error goes on as that. */
export function clearNo(error: unknown): ProviderFault {
  if (!(error instanceof ProviderFault)) throw error;
  if (error.statusCode !== TOO_MANY_REQUESTS) return error;
  throw new OutcomeUnknown('The provider has too much to do.', { cause: error });
}
