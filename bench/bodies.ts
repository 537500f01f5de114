import { dashboardEndpoints, ENDPOINTS, type HttpCall } from '@coinslot/contract';
import { WORST_BODIES } from '@coinslot/testing/worst-bodies';
import { type ParsedJson, parseStrictJson } from '../apps/server/src/http/strict-json.ts';
import { bodyCheck } from '../apps/server/src/http/validate.ts';
import { isMet, type Result, tableOf } from './result.ts';

/** `npm run bench -- bodies`: how long the worst bodies within the limits hold the event loop, in a few seconds. */
const RUNS = 15;
const MOST_MS = 5;

/** The quickest of several: what else runs on the machine can only add. */
function quickestMs(work: () => void): number {
  let quickest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const startedMs = performance.now();
    work();
    quickest = Math.min(quickest, performance.now() - startedMs);
  }
  return quickest;
}

function parse(text: string): ParsedJson | null {
  try {
    return parseStrictJson(text);
  } catch {
    return null;
  }
}

const checks = Object.entries<HttpCall>({ ...ENDPOINTS, ...dashboardEndpoints }).flatMap(([name, { body }]) =>
  body ? [{ name, check: bodyCheck(body) }] : [],
);

function measure([what, text]: [string, string]): Result {
  const parseMs = quickestMs(() => parse(text));
  const body = parse(text);
  const costs = body
    ? checks.map(({ name, check }) => ({ name, ms: quickestMs(() => void check(body)) }))
    : [{ name: 'none: it is no JSON', ms: 0 }];
  const worst = costs.reduce((most, cost) => (cost.ms > most.ms ? cost : most));
  const measured = `checked beyond its parse of ${parseMs.toFixed(1)} ms, worst at ${worst.name}`;
  return { what, measured, value: worst.ms, unit: 'ms', target: { atMost: MOST_MS } };
}

const results = Object.entries(WORST_BODIES).map(measure);
process.stdout.write(`${tableOf(results)}\n`);
process.exitCode = results.every(isMet) ? 0 : 1;
