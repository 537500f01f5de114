/** Callers that ask for the same while the question is under way get its one answer. Nothing is kept after it. */
export function singleFlight<Key extends string[], Answer>(
  ask: (...key: Key) => Promise<Answer>,
): (...key: Key) => Promise<Answer> {
  const pending = new Map<string, Promise<Answer>>();
  return (...parts) => {
    const key = parts.join(' ');
    const known = pending.get(key);
    if (known) return known;
    const asked = ask(...parts).finally(() => pending.delete(key));
    pending.set(key, asked);
    return asked;
  };
}
