// One lab with whatever program it was bundled with: the histories that were written by hand first, then random ones until the
// time is over or a rule is broken. It says what it found in one line.
import fc from 'fast-check';
import { directedBatches, TOPICS } from '../directed.ts';
import { Lab } from '../lab.ts';
import { type History, histories } from '../steps.ts';

const { LAB_SERVER_URL = '', LAB_SECONDS = '30', LAB_SEED = '1', LAB_TOPIC } = process.env;
const BATCH = 48;
const endsAt = Date.now() + Number(LAB_SECONDS) * 1000;

const lab = await Lab.open({ serverUrl: LAB_SERVER_URL, mortal: false });
const print = (result: object): void => void process.stdout.write(`\n${JSON.stringify(result)}\n`);

/** Those of the mutant's topic, with every provider, whatever they take. */
const SURE_BATCHES = 3;

function* batches(): Generator<History[]> {
  for (const [at, batch] of directedBatches(TOPICS.find(topic => topic === LAB_TOPIC)).entries())
    if (at < SURE_BATCHES || Date.now() < endsAt) yield batch;
  for (let seed = Number(LAB_SEED); Date.now() < endsAt; seed++) yield fc.sample(histories, { seed, numRuns: BATCH });
}

let found: Awaited<ReturnType<Lab['play']>> = [];
for (const batch of batches()) {
  found = await lab.play(batch);
  if (found.length > 0) break;
}
const [first] = found;
print({
  isKilled: first !== undefined,
  rule: first?.rule ?? null,
  what: first
    ? `${first.what} (history ${first.history}, ${first.step === null ? 'at rest' : `step ${first.step}`})`
    : null,
  histories: lab.counts.histories,
  ends: Object.fromEntries(lab.counts.ends),
});
await lab.close();
