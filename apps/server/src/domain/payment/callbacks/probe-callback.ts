const TIMEOUT_MS = 8_000;
const MOST_BYTES = 10_000;

/** `ours`: this program answered there. `other`: something else did. */
export type Reached = 'ours' | 'other' | 'nothing';

/** Asks the callback address from outside, as the provider does, with nothing in hand: the program refuses that by its own code. */
export async function probeCallback(url: string): Promise<Reached> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = (await answer.text()).slice(0, MOST_BYTES);
    return answer.status === 400 && text.includes('callback_refused') ? 'ours' : 'other';
  } catch {
    return 'nothing';
  }
}
