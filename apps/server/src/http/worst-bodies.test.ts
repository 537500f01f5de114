import { Session } from 'node:inspector/promises';
import { createOrder, createWebhook, dashboardEndpoints, ENDPOINTS, type HttpCall, LIMITS } from '@coinslot/contract';
import { WORST_BODIES } from '@coinslot/testing/worst-bodies';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ParsedJson, parseStrictJson } from './strict-json.ts';
import { bodyCheck } from './validate.ts';

/** Each character may be looked at a few times, as counting the characters of one text does, and never by each other one. */
const MOST_WORK = 3 * LIMITS.bodyBytes;

const session = new Session();

beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});

afterAll(() => session.disconnect());

/** How often any function or block of code ran: the engine counts, so that a slow machine changes nothing. */
async function countWork(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ranges = result.flatMap(script => script.functions.flatMap(entry => entry.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** Null where there is nothing to check: it cannot be parsed. */
function parsed(text: string): ParsedJson | null {
  try {
    return parseStrictJson(text);
  } catch {
    return null;
  }
}

describe('a body within the limits (row 108)', () => {
  const checks = [bodyCheck(createOrder.body), bodyCheck(createWebhook.body)];

  it.each(Object.entries(WORST_BODIES))('%s: costs at most its length to check', async (_kind, text) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMITS.bodyBytes);
    const body = parsed(text);
    for (const check of body ? checks : []) {
      check(body!);
      expect(await countWork(() => check(body!))).toBeLessThan(MOST_WORK);
    }
  });

  it('sees the work that a comparison of each with each would be', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `/${n}`);
    expect(await countWork(() => many.filter(one => many.some(other => one === `${other}x`)))).toBeGreaterThan(
      MOST_WORK,
    );
  });

  it('has a limit for every list and every object with free keys that a caller may send', () => {
    const endless: string[] = [];
    const checkLimits = (schema: { [key: string]: unknown }, path: string): void => {
      if (schema.type === 'array' && schema.maxItems === undefined) endless.push(path);
      const isChecked = typeof schema.additionalProperties === 'object';
      if (isChecked && schema.maxProperties === undefined) endless.push(path);
      for (const [key, inner] of Object.entries((schema.properties ?? {}) as Record<string, object>))
        checkLimits({ ...inner }, `${path}.${key}`);
      if (schema.items) checkLimits({ ...schema.items }, `${path}[]`);
    };
    const calls = { ...ENDPOINTS, ...dashboardEndpoints };
    for (const [name, { body }] of Object.entries<HttpCall>(calls)) if (body) checkLimits({ ...body }, name);
    expect(endless).toEqual([]);
  });
});
