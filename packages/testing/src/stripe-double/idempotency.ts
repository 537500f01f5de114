import { DoubleError } from './double-error.ts';

export interface KeptAnswer {
  status: number;
  body: string;
}

interface Kept {
  fingerprint: string;
  answer: KeptAnswer | null;
}

/** Stripe keeps the first answer of a key, whatever it was, and refuses the key for any other request. */
export function createIdempotency() {
  const kept = new Map<string, Kept>();
  return {
    async run(key: string | undefined, fingerprint: string, work: () => Promise<KeptAnswer & { isEarly?: boolean }>) {
      if (key === undefined) return { answer: await work(), isReplayed: false };
      const known = kept.get(key);
      if (known && known.fingerprint !== fingerprint) {
        throw new DoubleError(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with.`,
        });
      }
      if (known && !known.answer) {
        throw new DoubleError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use.' });
      }
      if (known?.answer) return { answer: known.answer, isReplayed: true };
      kept.set(key, { fingerprint, answer: null });
      const answer = await work();
      if (answer.isEarly) kept.delete(key);
      else kept.set(key, { fingerprint, answer });
      return { answer, isReplayed: false };
    },
  };
}
