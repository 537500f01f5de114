import { dashboardEndpoints, ENDPOINTS, type HttpCall } from '@coinslot/contract';
import { Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { product } from '../tidy/sources.ts';
import { stepCounter } from './count-steps.ts';
import { hostileTexts } from './hostile-texts.ts';

/** The longest header and the longest line that reach the program. */
const LONGEST_TEXT = 16_384;
const STEPS_FOR_A_CHARACTER = 64;

/** Never see a text of that length, and why. They are tried with their own. */
const SHORTER: { pattern: RegExp; length: number; because: string }[] = [];

// Passwords and documents of our own have other rules; the first are cut to a length, the second are read at build time.
const among = /^(?:apps\/server\/src\/(?!doors\/docs\/)|packages\/(?:contract|checkout-page|sdk|exam|texts)\/)/;

const found = new Map<string, { pattern: RegExp; paths: string[] }>();

/** Made of parts while the program runs, and looked at by hand: of our own ids, routes and page, and of the contract's patterns, which are measured below. */
const MADE_LATE = [
  'apps/server/src/doors/dashboard/serve-app.ts',
  'apps/server/src/http/problem.ts',
  'apps/server/src/kit/ids.ts',
  'packages/sdk/src/input-check.ts',
];
const madeLate = new Set<string>();
for (const { path, program } of product.filter(({ path: one }) => among.test(one))) {
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const pattern = new RegExp(node.regex.pattern, node.regex.flags);
      const known = found.get(String(pattern));
      if (known) known.paths.push(path);
      else found.set(String(pattern), { pattern, paths: [path] });
    },
    NewExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') madeLate.add(path);
    },
  }).visit(program);
}

/** Those of the contract stand in its schemas as texts. */
function addPatterns(schema: object, path: string): void {
  const { pattern } = schema as { pattern?: unknown };
  if (typeof pattern === 'string') {
    const expression = new RegExp(pattern, 'u');
    found.set(String(expression), { pattern: expression, paths: [path] });
  }
  for (const inner of Object.values(schema)) if (typeof inner === 'object' && inner) addPatterns(inner, path);
}
for (const { name, params, query, headers, body } of Object.values<HttpCall & { name: string }>({
  ...ENDPOINTS,
  ...dashboardEndpoints,
}))
  addPatterns({ params, query, headers, body }, name);

const lengthFor = (pattern: RegExp): number =>
  SHORTER.find(one => String(one.pattern) === String(pattern))?.length ?? LONGEST_TEXT;

const tooSlow = (pattern: RegExp, length: number): string[] => {
  const limit = LONGEST_TEXT * STEPS_FOR_A_CHARACTER;
  const count = stepCounter(pattern, limit);
  return hostileTexts(pattern, length).filter(text => count(text) > limit);
};

describe('a regular expression of the product', () => {
  it('is found, with all others', () => expect(found.size).toBeGreaterThan(150));

  it.each([...found.values()])('$pattern does work in proportion to its text (row 129)', ({ pattern, paths }) => {
    const [worst] = tooSlow(pattern, lengthFor(pattern));
    expect(worst && `${paths.join(', ')}: ${JSON.stringify(worst.slice(0, 40))} …`).toBeUndefined();
  });

  it('is made of parts nowhere else, where this could not find it', () =>
    expect([...madeLate].toSorted()).toEqual(MADE_LATE));

  it('is measured by a machine that finds those that are slow', () => {
    const slow = [/^a\s*(?:;\s*b\s*)?;?\s*$/, /(?:a+)+$/, /\d+$/, /\s*;\s*/, /^(\d+)\s*\s*$/, /\]\(([^)]+)\)/];
    expect(slow.filter(pattern => tooSlow(pattern, LONGEST_TEXT).length === 0)).toEqual([]);
    const quick = [/^\d+$/, /^[a-z]+(?:-[a-z]+)*$/, /^sk_[\w-]{32,128}$/, /^(?=.{1,253}$)[a-z]/];
    expect(quick.filter(pattern => tooSlow(pattern, LONGEST_TEXT).length > 0)).toEqual([]);
  });

  it('is excused from that length only while it exists and needs it', () => {
    const needless = SHORTER.filter(
      ({ pattern }) => !found.has(String(pattern)) || tooSlow(pattern, LONGEST_TEXT).length === 0,
    );
    expect(needless.map(({ pattern }) => String(pattern))).toEqual([]);
  });
});
