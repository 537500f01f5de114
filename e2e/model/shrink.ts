import { type Finding, jumpOf, type Lab } from './lab.ts';
import type { History, Step } from './steps.ts';

/** The one history with the time that its neighbors let pass, which is all that they have in common. */
function alone(batch: readonly History[], index: number): History {
  const own = batch[index]!;
  const rounds = Math.max(...batch.map(({ steps }) => steps.length));
  const steps: Step[] = [];
  for (let round = 0; round < rounds; round++) {
    const seconds = jumpOf(batch.map(history => history.steps[round]));
    if (seconds > 0) steps.push({ do: 'later', seconds });
    const step = own.steps[round];
    if (step && step.do !== 'later') steps.push(step);
  }
  return { ...own, steps };
}

/** Leaves out one step after the other for as long as the same rule is broken. Null: alone it holds. */
export async function shrink(lab: Lab, batch: readonly History[], { history, rule }: Finding): Promise<History | null> {
  const fails = async (candidate: History): Promise<boolean> =>
    (await lab.play([candidate], false)).some(finding => finding.rule === rule);
  let smallest = alone(batch, history);
  if (!(await fails(smallest))) return null;
  for (let i = smallest.steps.length - 1; i >= 0; i--) {
    const candidate = { ...smallest, steps: smallest.steps.toSpliced(i, 1) };
    if (await fails(candidate)) smallest = candidate;
  }
  return smallest;
}
