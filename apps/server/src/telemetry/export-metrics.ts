import type { HrTime } from '@opentelemetry/api';
import type { DataPoint, MetricData, MetricProducer } from '@opentelemetry/sdk-metrics';
import type { Registry } from 'prom-client';
import { type Clock, systemClock } from '../kit/clock.ts';
import { EXPORT_WITHIN_MS, loadApi, type OtlpOptions, resourceOf } from './otlp.ts';

export interface MetricExport {
  /** Sends the metrics of the registry from now on. */
  watch(registry: Registry): void;
  stop(): Promise<void>;
}

export interface MetricExportOptions extends OtlpOptions {
  everyMs: number;
}

interface Value {
  value: number;
  labels: Record<string, string | number>;
  metricName?: string;
}

/** What the registry gives; its own types have the kinds as numbers, which they are not. */
interface RegistryMetric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  values: Value[];
}

interface Span {
  startTime: HrTime;
  endTime: HrTime;
}

type Sdk = typeof import('@opentelemetry/sdk-metrics');
type Api = typeof import('@opentelemetry/api');
interface Histogram {
  buckets: { boundaries: number[]; counts: number[] };
  sum: number;
  count: number;
}

const instant = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return name.endsWith('_bytes') ? 'By' : '';
}

/** JSON knows no infinity, and a receiver no point without a number. */
const pointsOf = ({ values }: RegistryMetric, span: Span): DataPoint<number>[] =>
  values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({ ...span, attributes: labels, value }));

/** Prometheus counts in each bucket what is in the smaller ones too, OpenTelemetry does not. */
function histogramOf(values: Value[]): Histogram {
  const buckets = values.filter(({ metricName }) => metricName?.endsWith('_bucket'));
  const last = (ending: string): number => values.find(({ metricName }) => metricName?.endsWith(ending))?.value ?? 0;
  return {
    buckets: {
      boundaries: buckets.filter(({ labels }) => labels.le !== '+Inf').map(({ labels }) => Number(labels.le)),
      counts: buckets.map(({ value }, i) => value - (buckets[i - 1]?.value ?? 0)),
    },
    sum: last('_sum'),
    count: last('_count'),
  };
}

function histogramsOf({ values }: RegistryMetric, span: Span): DataPoint<Histogram>[] {
  const series = new Map<string, { labels: Value['labels']; values: Value[] }>();
  for (const value of values) {
    const { le: _, ...labels } = value.labels;
    const key = JSON.stringify(labels);
    if (!series.has(key)) series.set(key, { labels, values: [] });
    series.get(key)!.values.push(value);
  }
  return [...series.values()].map(one => ({ ...span, attributes: one.labels, value: histogramOf(one.values) }));
}

function converter({ DataPointType, AggregationTemporality }: Sdk, { ValueType }: Api) {
  return (metric: RegistryMetric, span: Span): MetricData[] => {
    const { name, help } = metric;
    const base = {
      descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    switch (metric.type) {
      case 'counter':
        return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: pointsOf(metric, span) }];
      case 'gauge':
        return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: pointsOf(metric, span) }];
      case 'histogram':
        return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(metric, span) }];
      // The program has none: they cannot be added up over processes.
      case 'summary':
        return [];
    }
  };
}

/** Sends what `/metrics` shows, under the same names, without a scraper that reaches every process. */
export async function startMetricExport(
  options: MetricExportOptions,
  clock: Clock = systemClock,
): Promise<MetricExport> {
  const { endpoint, version, warn, everyMs } = options;
  const [api, sdk, otlp] = await Promise.all([
    loadApi(warn),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
  ]);
  const exporter = new otlp.OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, timeoutMillis: EXPORT_WITHIN_MS });
  const resource = resourceOf(options);
  const convert = converter(sdk, api);
  const startTime = instant(clock.nowMs());
  let registry: Registry | undefined;
  const producer: MetricProducer = {
    async collect() {
      const metricsNow = ((await registry?.getMetricsAsJSON()) ?? []) as unknown as RegistryMetric[];
      const span = { startTime, endTime: instant(clock.nowMs()) };
      const metrics = metricsNow.flatMap(metric => convert(metric, span));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'coinslot', version }, metrics }] },
        errors: [],
      };
    },
  };
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(everyMs, 2 * EXPORT_WITHIN_MS),
    metricProducers: [producer],
  });
  const provider = new sdk.MeterProvider({ resource, readers: [reader] });
  return {
    watch(given) {
      registry = given;
    },
    stop: () => provider.shutdown().catch((error: unknown) => warn(String(error))),
  };
}
