/** What a webhook came to. */
export interface WebhookOutcome {
  /** Why the game declined; null when it accepted. */
  declined: string | null;
}

export type Begun =
  /** Nobody has handled it: do it now. `claim` proves later that it is still yours. */
  | { state: 'run'; claim: string }
  /** Handled before: give the same answer, do nothing. */
  | { state: 'done'; outcome: WebhookOutcome }
  /** Somebody is at it right now: ask the service to come back. */
  | { state: 'busy' };

/** Runs one SQL statement, such as `(text, values) => pool.query(text, values)`. */
export type SqlQuery = (text: string, values: unknown[]) => Promise<unknown>;

/**
 * Remembers which webhooks were handled, by their `idempotency_key`. A claim that is neither finished nor failed belonged
 * to a process that died; after its lease another may take it.
 */
export interface WebhookStore {
  begin(key: string): Promise<Begun>;
  /** Marks it handled. Throws when the claim was lost meanwhile. `query` does it inside the caller's own transaction. */
  finish(key: string, claim: string, outcome: WebhookOutcome, query?: SqlQuery): Promise<void>;
  /** Gives the claim back, so that the next attempt runs. Does nothing once it is finished. */
  fail(key: string, claim: string): Promise<void>;
}

export const lostClaim = (key: string): Error =>
  new Error(`The webhook ${key} took longer than its lease, and another process took it over. Nothing was recorded.`);
