import type { KeyMode } from '../gateways/provider.ts';

/** Why keys of this mode are not taken here; null: they are. */
export function modeProblem(mode: KeyMode, allowTest: boolean): string | null {
  if (mode === 'mixed') return 'One key is of the test mode and the other of the live mode. Both must be of the same.';
  if (mode === 'test' && !allowTest) {
    return 'These are keys of the test mode. Live takes the live keys; to try things out, use sandbox.';
  }
  return null;
}
