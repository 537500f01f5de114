import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, Histogram, type MetricValueWithName, type Registry } from 'prom-client';
import { createSlots } from '../kit/collections.ts';

const NAME = 'coinslot_http_request_duration_seconds';
const HELP = 'From the first byte of a request to the last of its answer.';
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10];
/** The dashboard has many routes with few calls each. They count as one, or they would be most of a scrape. */
const DASHBOARD = '/dashboard/api';
const LABELS = ['method', 'route', 'status'] as const;
type Label = (typeof LABELS)[number];

interface Series {
  labels: Record<Label, string>;
  /** The counts are not cumulative; the last one is for values above every bucket. */
  counts: number[];
  sum: number;
}

/** The library merges shared labels into the others when it aggregates several processes. */
interface SharedValue extends MetricValueWithName<Label> {
  sharedLabels: Record<string, never>;
}

interface Scraped {
  name: string;
  help: string;
  type: 'histogram';
  values: SharedValue[];
}

/**
 * Lets the caller find the series of an observation. The library would make and hash a set of labels each time, which
 * costs more than the rest of it, and every request would pay for it.
 */
class RequestHistogram extends Histogram<Label> {
  readonly #series: Series[] = [];

  add(method: string, route: string, status: string): Series {
    const made = { labels: { method, route, status }, counts: [0, ...BUCKETS.map(() => 0)], sum: 0 };
    this.#series.push(made);
    return made;
  }

  /** The library calls it at each scrape. */
  async getForPromString(): Promise<Scraped> {
    return { name: NAME, help: HELP, type: 'histogram', values: this.#series.flatMap(valuesOf) };
  }
}

const sharedLabels = {};

function valuesOf({ labels, counts, sum }: Series): SharedValue[] {
  let below = 0;
  const buckets = counts.map((count, i) => {
    below += count;
    return {
      metricName: `${NAME}_bucket`,
      labels: { ...labels, le: BUCKETS[i] ?? '+Inf' },
      sharedLabels,
      value: below,
    };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, sharedLabels, value: sum },
    { metricName: `${NAME}_count`, labels, sharedLabels, value: below },
  ];
}

function observe(series: Series, seconds: number): void {
  let at = 0;
  while (at < BUCKETS.length && seconds > BUCKETS[at]!) at++;
  series.counts[at]!++;
  series.sum += seconds;
}

/** Keeps the series of one route: few methods, and five classes of status. */
function counterOf(histogram: RequestHistogram, route: string) {
  const known = new Map<string, (Series | undefined)[]>();
  return ({ method }: FastifyRequest, reply: FastifyReply): void => {
    let byClass = known.get(method);
    if (!byClass) {
      byClass = [];
      known.set(method, byClass);
    }
    const statusClass = Math.floor(reply.statusCode / 100);
    byClass[statusClass] ??= histogram.add(method, route, `${statusClass}xx`);
    observe(byClass[statusClass], reply.elapsedTime / 1000);
  };
}

/** Counts answers by the pattern of their route: a series for each path would let a caller create any number of them. */
export function createRequestWatcher(registry: Registry): (app: FastifyInstance) => void {
  const labelNames = LABELS;
  const histogram = new RequestHistogram({ name: NAME, help: HELP, labelNames, buckets: BUCKETS, registers: [] });
  registry.registerMetric(histogram);
  const countDashboard = counterOf(histogram, DASHBOARD);
  const watchOpen = watchInFlight(registry);
  return app => {
    watchOpen(app);
    app.addHook('onRoute', route => {
      const count = route.url.startsWith(`${DASHBOARD}/`) ? countDashboard : counterOf(histogram, route.url);
      const others = [route.onResponse ?? []].flat();
      route.onResponse = [
        (request, reply, done) => {
          count(request, reply);
          done();
        },
        ...others,
      ];
    });
    const countLost = counterOf(histogram, 'none');
    app.addHook('onResponse', (request, reply, done) => {
      if (request.is404) countLost(request, reply);
      done();
    });
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its slot among the requests without an answer. */
    openSlot: number;
  }
}

/** After this time the caller, or a proxy before it, is about to give up. */
const LATE_MS = 10_000;

/** Counts requests without an answer yet. A stream that is being sent counts as answered. */
function watchInFlight(registry: Registry): (app: FastifyInstance) => void {
  const open = createSlots<FastifyReply>();
  const unanswered = (): FastifyReply[] => [...open].filter(({ raw }) => !raw.headersSent);
  const gauge = new Gauge({
    name: 'coinslot_http_requests_in_flight',
    help: 'Requests without an answer yet, and those of them that came more than 10 s ago.',
    labelNames: ['age'],
    registers: [],
    collect() {
      const waiting = unanswered();
      this.set({ age: 'any' }, waiting.length);
      this.set({ age: 'over_10s' }, waiting.filter(({ elapsedTime }) => elapsedTime > LATE_MS).length);
    },
  });
  registry.registerMetric(gauge);
  return app => {
    app.decorateRequest('openSlot', -1);
    app.addHook('onRequest', (request, reply, done) => {
      request.openSlot = open.put(reply);
      done();
    });
    app.addHook('onResponse', (request, _reply, done) => {
      open.clear(request.openSlot);
      request.openSlot = -1;
      done();
    });
  };
}
