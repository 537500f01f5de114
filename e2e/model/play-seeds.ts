import fc from 'fast-check';
import { inject } from 'vitest';
import { type Finding, Lab } from './lab.ts';
import { shrink } from './shrink.ts';
import type { History } from './steps.ts';

/** Half a minute on an idle machine; a loaded one plays the same histories and takes longer. */
export const LONGEST_MS = 600_000;

let lab: Lab | undefined;

/** The lab of this test; `closeLab` ends it. */
export async function openLab({ mortal }: { mortal: boolean }): Promise<Lab> {
  lab = await Lab.open({ serverUrl: inject('databaseUrl'), mortal });
  return lab;
}

export async function closeLab(): Promise<void> {
  await lab?.close();
  lab = undefined;
}

async function reportOf(batch: readonly History[], seed: number, found: Finding[]): Promise<string[]> {
  const smallest = await shrink(lab!, batch, found[0]!);
  const lines = found.map(({ rule, what, history }) => `seed ${seed}, history ${history}: ${rule}: ${what}`);
  return [...lines, `smallest: ${JSON.stringify(smallest)}`];
}

/** What is wrong after the histories of these seeds, with the smallest one that breaks it. */
export async function playSeeds(
  arbitrary: fc.Arbitrary<History>,
  seeds: readonly number[],
  batchSize: number,
): Promise<string[]> {
  for (const seed of seeds) {
    const batch = fc.sample(arbitrary, { seed, numRuns: batchSize });
    const found = await lab!.play(batch);
    if (found.length > 0) return reportOf(batch, seed, found);
  }
  return [];
}
