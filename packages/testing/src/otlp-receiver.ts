import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Attributes = Record<string, string | number>;

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attributes;
  service: string;
}

export interface ReceivedLog {
  severityText: string;
  severityNumber: number;
  body: string;
  attributes: Attributes;
  traceId?: string;
  service: string;
}

/** One number, or a histogram with what it counted between its bounds. */
export interface ReceivedPoint {
  name: string;
  kind: 'sum' | 'gauge' | 'histogram';
  unit: string;
  attributes: Attributes;
  value: number;
  bounds: number[];
  counts: number[];
  service: string;
  instance: string;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number };
}

interface Resource {
  attributes: Attribute[];
}

interface TracesRequest {
  resourceSpans: {
    resource: Resource;
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes' | 'service'> & { attributes: Attribute[] })[] }[];
  }[];
}

interface LogsRequest {
  resourceLogs: {
    resource: Resource;
    scopeLogs: {
      logRecords: {
        severityText: string;
        severityNumber: number;
        body: { stringValue: string };
        attributes: Attribute[];
        traceId?: string;
      }[];
    }[];
  }[];
}

interface Point {
  attributes: Attribute[];
  startTimeUnixNano: string;
  timeUnixNano: string;
  asDouble?: number;
  asInt?: number;
  count?: number;
  sum?: number;
  bucketCounts?: number[];
  explicitBounds?: number[];
}

interface MetricsRequest {
  resourceMetrics: {
    resource: Resource;
    scopeMetrics: {
      metrics: {
        name: string;
        unit: string;
        sum?: { dataPoints: Point[]; aggregationTemporality: number; isMonotonic: boolean };
        gauge?: { dataPoints: Point[] };
        histogram?: { dataPoints: Point[]; aggregationTemporality: number };
      }[];
    }[];
  }[];
}

export interface OtlpReceiver {
  url: string;
  spans(): ReceivedSpan[];
  logs(): ReceivedLog[];
  /** Those of the last report. */
  metrics(): ReceivedPoint[];
  close(): Promise<void>;
}

const plain = (attributes: Attribute[]): Attributes =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? '']),
  );

const serviceOf = (resource: Resource): string => String(plain(resource.attributes)['service.name']);

const spansOf = ({ resourceSpans }: TracesRequest): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(scope => scope.spans)
      .map(span => ({ ...span, attributes: plain(span.attributes), service: serviceOf(resource) })),
  );

const logsOf = ({ resourceLogs }: LogsRequest): ReceivedLog[] =>
  resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs
      .flatMap(scope => scope.logRecords)
      .map(({ body, attributes, ...record }) => ({
        ...record,
        body: body.stringValue,
        attributes: plain(attributes),
        service: serviceOf(resource),
      })),
  );

/** Cumulative and, for a sum, only growing: what a counter of Prometheus is. */
const CUMULATIVE = 2;

function pointsOf({ resourceMetrics }: MetricsRequest): ReceivedPoint[] {
  return resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(scope =>
      scope.metrics.flatMap(({ name, unit, ...metric }) => {
        const kind = (['sum', 'gauge', 'histogram'] as const).find(one => metric[one] !== undefined);
        if (kind === undefined) throw new Error(`The metric ${name} has no points of a known kind.`);
        const given = metric.sum ?? metric.histogram;
        if (given && given.aggregationTemporality !== CUMULATIVE) throw new Error(`${name} is not cumulative.`);
        return metric[kind]!.dataPoints.map(point => ({
          name,
          kind,
          unit,
          attributes: plain(point.attributes),
          value: point.asDouble ?? point.asInt ?? point.count ?? Number.NaN,
          bounds: point.explicitBounds ?? [],
          counts: point.bucketCounts ?? [],
          service: serviceOf(resource),
          instance: String(plain(resource.attributes)['service.instance.id']),
        }));
      }),
    ),
  );
}

/** What a collector does: takes traces, metrics and logs by OTLP over HTTP, in JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const logs: ReceivedLog[] = [];
  let points: ReceivedPoint[] = [];
  const takers: Record<string, (text: string) => void> = {
    '/v1/traces': text => void spans.push(...spansOf(JSON.parse(text))),
    '/v1/logs': text => void logs.push(...logsOf(JSON.parse(text))),
    '/v1/metrics': text => {
      points = pointsOf(JSON.parse(text));
    },
  };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      const take = takers[request.url ?? ''];
      take?.(text);
      response.writeHead(take ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    logs: () => logs,
    metrics: () => points,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
