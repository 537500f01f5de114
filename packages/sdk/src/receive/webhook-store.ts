/** The outcome of a webhook. */
export interface WebhookOutcome {
  /** Why the game declined; null when it accepted. */
  declined: string | null;
}

export type Begun =
  /** Not handled yet: handle it now. `claim` later proves that this process still holds it. */
  | { state: 'run'; claim: string }
  /** Already handled: return the same response and do nothing. */
  | { state: 'done'; outcome: WebhookOutcome }
  /** Another process is handling it now: let the service try again. */
  | { state: 'busy' };

/** How far a webhook is that was asked for by what it does. */
export type Known = { state: 'done'; outcome: WebhookOutcome } | { state: 'busy' } | { state: 'none' };

/** Runs one SQL statement, such as `(text, values) => pool.query(text, values)`. */
export type SqlQuery = (text: string, values: unknown[]) => Promise<unknown>;

/**
 * Remembers which webhooks were handled, by their `idempotency_key`. A claim that is neither finished nor failed belongs
 * to a process that died; after its lease another can take it.
 */
export interface WebhookStore {
  /** `subject` says what it does, such as `item.add ord_1`, so that others can ask for it. Null for the other kinds. */
  begin(key: string, subject?: string | null): Promise<Begun>;
  /** A webhook by what it does: done, under way, or never begun. */
  find(subject: string): Promise<Known>;
  /** Marks it handled. Throws when the claim was lost meanwhile. `query` does it inside the caller's own transaction. */
  finish(key: string, claim: string, outcome: WebhookOutcome, query?: SqlQuery): Promise<void>;
  /** Releases the claim, so that the next attempt runs. Does nothing once it is finished. */
  fail(key: string, claim: string): Promise<void>;
}

export const lostClaim = (key: string): Error =>
  new Error(`The webhook ${key} took longer than its lease, and another process took it over. Nothing was recorded.`);
