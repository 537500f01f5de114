import { Gauge, type Registry } from 'prom-client';

const SPAN_MS = 300_000;
const MOST_ENVIRONMENTS = 10_000;

interface Tries {
  failed: number;
  all: number;
}

/** Counts environments whose webhooks were tried in the last five to ten minutes, and those of which most tries failed. */
export function countEnvironments(nowMs: () => number) {
  let current = new Map<string, Tries>();
  let previous = new Map<string, Tries>();
  let sinceMs = nowMs();

  function startNewSpan(): void {
    const spans = Math.floor((nowMs() - sinceMs) / SPAN_MS);
    if (spans <= 0) return;
    previous = spans === 1 ? current : new Map();
    current = new Map();
    sinceMs += spans * SPAN_MS;
  }

  const triesOf = (id: string): Tries => {
    const both = [current.get(id), previous.get(id)];
    return { failed: sum(both, 'failed'), all: sum(both, 'all') };
  };

  return {
    note(environmentId: string, hasFailed: boolean): void {
      startNewSpan();
      const tries = current.get(environmentId) ?? { failed: 0, all: 0 };
      if (tries.all === 0 && current.size >= MOST_ENVIRONMENTS) return;
      tries.all += 1;
      if (hasFailed) tries.failed += 1;
      current.set(environmentId, tries);
    },
    count(): { tried: number; failing: number } {
      startNewSpan();
      const ids = [...new Set([...current.keys(), ...previous.keys()])];
      const failing = ids.map(triesOf).filter(({ failed, all }) => failed * 2 > all).length;
      return { tried: ids.length, failing };
    },
  };
}

const sum = (tries: readonly (Tries | undefined)[], key: keyof Tries): number =>
  tries.reduce((total, one) => total + (one?.[key] ?? 0), 0);

/** Counts each tenant once, without its name: a broken receiver is one failure, however many webhooks it refuses. */
export function watchEnvironments(registry: Registry, nowMs: () => number) {
  const counted = countEnvironments(nowMs);
  const gauge = new Gauge({
    name: 'coinslot_webhook_environments',
    aggregator: 'max',
    help: 'Environments whose webhooks were tried in the last five to ten minutes, and those of which most tries failed.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { tried, failing } = counted.count();
      this.set({ state: 'tried' }, tried);
      this.set({ state: 'failing' }, failing);
    },
  });
  registry.registerMetric(gauge);
  return counted.note;
}
