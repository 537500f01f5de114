import type { CoinslotError } from './coinslot-error.ts';

/** One attempt of a call. */
export interface HookRequest {
  method: string;
  /** Without the query, so that it can be a name in logs and metrics. */
  path: string;
  /** From 1. */
  attempt: number;
}

export interface HookResponse extends HookRequest {
  status: number;
  tookMs: number;
  /** Identifies the request in the operator's log. */
  requestId: string | null;
  /** What the service ignored. */
  warnings: readonly string[];
}

export interface HookFailure extends HookRequest {
  tookMs: number;
  error: CoinslotError;
  /** When the next attempt starts, or null if the error goes to the caller. */
  againInMs: number | null;
}

/** For logging, metrics and tracing. None of them gets the key or a body. */
export interface Hooks {
  /** Headers to send with an attempt, such as `traceparent`. */
  headers?: (request: HookRequest) => Record<string, string>;
  /** Before each attempt. */
  onRequest?: (request: HookRequest) => void;
  /** After each attempt that succeeded. */
  onResponse?: (response: HookResponse) => void;
  /** After each attempt that failed, whether or not it is tried again. */
  onFailure?: (failure: HookFailure) => void;
}

/** Prints an error thrown by a hook and ignores it, because a purchase must not fail because of a log. */
export function callHook<Fact, Result>(hook: ((fact: Fact) => Result) | undefined, fact: Fact): Result | undefined {
  try {
    return hook?.(fact);
  } catch (error) {
    console.error('Coinslot hook:', error);
    return undefined;
  }
}
