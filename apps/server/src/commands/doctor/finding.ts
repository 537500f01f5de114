/** A `note` works, and the operator should know it. When something is `wrong`, money or mails are at risk. */
export interface Finding {
  what: string;
  state: 'ok' | 'note' | 'wrong';
  says: string;
  advice?: string;
}

export const ok = (what: string, says: string): Finding => ({ what, state: 'ok', says });
export const note = (what: string, says: string, advice: string): Finding => ({ what, state: 'note', says, advice });
export const wrong = (what: string, says: string, advice: string): Finding => ({ what, state: 'wrong', says, advice });

const SIGNS = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' } as const;

export const findingText = ({ what, state, says, advice }: Finding): string =>
  `${SIGNS[state]}  ${what}: ${says}${advice === undefined ? '' : `\n       → ${advice}`}`;

/** Turns a check that throws into a finding, so that the other checks still run. */
export async function attempt(
  what: string,
  check: () => Promise<Finding | Finding[]>,
  advice: string,
): Promise<Finding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    return [wrong(what, (error as Error).message || String(error), advice)];
  }
}
