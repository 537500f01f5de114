import { readFileSync } from 'node:fs';
import { startGame } from '@coinslot/testing/game-receiver';
import { startProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../db/sql.ts';

const OPS = new URL('../../../../ops/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, OPS), 'utf8');

interface Panel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const dashboard = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };
const alerts = [...read('prometheus-alerts.yml').matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr);

let text = '';

/** Every kind of series must have been made once, or its labels are not there to look at. */
beforeAll(async () => {
  const shop = await startProgram({
    workers: false,
    env: { DATABASE_READ_URL: 'postgresql://coinslot@127.0.0.1:1/coinslot' },
  });
  const game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  const order = await shop.createOrder();
  await fetch(order.checkout_url);
  await shop.pay(order.checkout_url);
  await shop.until(order.order_id, 'paid');
  await shop.database.db.query(sql('test_compared')`
    insert into reconciliation_runs (account_id, day, state, claim_id, alive_at, started_at, finished_at)
    values ('settings', current_date, 'done', 'c', app_now(), app_now(), app_now())`);
  text = await (await fetch(`${shop.url}/metrics`)).text();
  await game.close();
  await shop.close();
});
afterAll(() => {
  text = '';
});

const NAME = /\b(?:coinslot|process|nodejs)_\w+/g;
const expressions = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

/** `name{label=~"…"}` in an expression: the name and the labels it filters by. */
function* selectors(expr: string): Generator<{ name: string; labels: string[] }> {
  for (const [, name = '', filters = ''] of expr.matchAll(/\b((?:coinslot|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)) {
    yield { name, labels: [...filters.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']) => label) };
  }
}

describe.each([
  ['the Grafana dashboard', expressions.map(({ expr }) => expr)],
  ['the Prometheus alerts', alerts],
])('%s', (_what, exprs) => {
  it('asks something', () => {
    expect(exprs.length).toBeGreaterThan(8);
    for (const expr of exprs) expect(expr.replace(/up\{/g, 'coinslot_up{')).toMatch(NAME);
  });

  it('asks only for metrics that exist, by labels they have', () => {
    for (const expr of exprs) {
      for (const { name, labels } of selectors(expr)) {
        const series = text.split('\n').filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
        expect(series, `${name} in ${expr}`).not.toEqual([]);
        // `job` is given by Prometheus itself.
        for (const label of labels.filter(one => one !== 'job')) expect(series[0], expr).toContain(`${label}="`);
      }
    }
  });
});

it('what an alert is about can be looked at on the dashboard', () => {
  const namesOf = (exprs: string[]): string[] => exprs.flatMap(expr => expr.match(NAME) ?? []);
  const shown = new Set(namesOf(expressions.map(({ expr }) => expr)));
  expect(namesOf(alerts).filter(name => !shown.has(name))).toEqual([]);
});

it('every alert names its section of the runbook, and every section is about an alert', () => {
  const rules = read('prometheus-alerts.yml');
  const named = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const linked = [...rules.matchAll(/^ +runbook: ops\/runbook\.md#(\w+)$/gm)].map(([, anchor = '']) => anchor);
  const sections = [...read('runbook.md').matchAll(/^## (\w+)\n\n([^#]+)/gm)];
  expect(linked).toEqual(named.map(name => name.toLowerCase()));
  expect(sections.map(([, name]) => name)).toEqual(named);
  for (const [, name, words = ''] of sections) expect(`${name}: ${words}`).toMatch(/\*\*Look\.\*\*[\s\S]+\*\*Do\.\*\*/);
});

it('no panel of the dashboard lies on another', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)}:${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
});
