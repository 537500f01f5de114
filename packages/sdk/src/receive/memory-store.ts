import { checkNames } from '../coinslot-error.ts';
import { lostClaim, type WebhookOutcome, type WebhookStore } from './webhook-store.ts';

export interface MemoryStoreOptions {
  /** How many handled webhooks to remember; defaults to 10,000. */
  limit?: number;
  /** How long an unfinished claim lasts, in seconds; defaults to 60. */
  leaseSeconds?: number;
}

interface Entry {
  claim: string;
  leaseUntilMs: number;
  outcome: WebhookOutcome | null;
  subject: string | null;
}

/** For one process and for tests: a restart forgets everything. */
export function memoryStore(options: MemoryStoreOptions = {}): WebhookStore {
  checkNames('memoryStore', options, ['limit', 'leaseSeconds']);
  const { limit = 10_000, leaseSeconds = 60 } = options;
  const entries = new Map<string, Entry>();
  let claims = 0;

  function forgetOldest(): void {
    for (const [key, { outcome }] of entries) {
      if (entries.size <= limit) return;
      if (outcome) entries.delete(key);
    }
  }

  return {
    async begin(key, subject = null) {
      const found = entries.get(key);
      if (found?.outcome) return { state: 'done', outcome: found.outcome };
      if (found && found.leaseUntilMs > Date.now()) return { state: 'busy' };
      claims += 1;
      const claim = String(claims);
      entries.set(key, { claim, leaseUntilMs: Date.now() + leaseSeconds * 1000, outcome: null, subject });
      return { state: 'run', claim };
    },
    async find(subject) {
      const found = [...entries.values()].filter(entry => entry.subject === subject);
      const done = found.find(({ outcome }) => outcome !== null)?.outcome;
      if (done) return { state: 'done', outcome: done };
      return found.some(({ leaseUntilMs }) => leaseUntilMs > Date.now()) ? { state: 'busy' } : { state: 'none' };
    },
    async finish(key, claim, outcome) {
      const found = entries.get(key);
      if (found?.claim !== claim) throw lostClaim(key);
      found.outcome = outcome;
      forgetOldest();
    },
    async fail(key, claim) {
      const found = entries.get(key);
      if (found?.claim === claim && !found.outcome) entries.delete(key);
    },
  };
}
