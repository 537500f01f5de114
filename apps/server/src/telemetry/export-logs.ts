import type { LoggerProvider } from '@opentelemetry/sdk-logs';
import { EXPORT_WITHIN_MS, loadApi, type OtlpOptions, resourceOf } from './otlp.ts';

type LogRecord = Parameters<ReturnType<LoggerProvider['getLogger']>['emit']>[0];
type Attributes = NonNullable<LogRecord['attributes']>;

export interface LogExport {
  /** Takes a line of the log as it is written, secrets already removed from it. */
  write(line: string): void;
  stop(): Promise<void>;
}

interface Line {
  level: number;
  time: number;
  msg?: string;
  err?: { type?: string; message?: string; stack?: string };
  [field: string]: unknown;
}

/** Levels of the log by their number: what OpenTelemetry calls them, and its own number for each. */
const SEVERITIES: Readonly<Record<number, [text: string, number: number]>> = {
  10: ['TRACE', 1],
  20: ['DEBUG', 5],
  30: ['INFO', 9],
  40: ['WARN', 13],
  50: ['ERROR', 17],
  60: ['FATAL', 21],
};

/** An error has names of its own there. */
function attributesOf({ level: _level, time: _time, msg: _msg, err, ...fields }: Line): Attributes {
  const attributes = fields as Attributes;
  if (!err) return attributes;
  return {
    ...attributes,
    'exception.type': err.type,
    'exception.message': err.message,
    'exception.stacktrace': err.stack,
  };
}

/** Sends what the program logs, beside standard output, with the trace in which it was logged. */
export async function startLogExport(options: OtlpOptions): Promise<LogExport> {
  const { endpoint, version, warn } = options;
  const [api, sdk, otlp] = await Promise.all([
    loadApi(warn),
    import('@opentelemetry/sdk-logs'),
    import('@opentelemetry/exporter-logs-otlp-http'),
  ]);
  const exporter = new otlp.OTLPLogExporter({ url: `${endpoint}/v1/logs`, timeoutMillis: EXPORT_WITHIN_MS });
  const provider = new sdk.LoggerProvider({
    resource: resourceOf(options),
    processors: [new sdk.BatchLogRecordProcessor(exporter)],
  });
  const logger = provider.getLogger('coinslot', version);
  return {
    write(text) {
      const line = JSON.parse(text) as Line;
      const [severityText, severityNumber] = SEVERITIES[line.level] ?? ['INFO', 9];
      logger.emit({
        timestamp: line.time,
        severityText,
        severityNumber,
        body: line.msg ?? '',
        attributes: attributesOf(line),
        context: api.context.active(),
      });
    },
    stop: () => provider.shutdown().catch((error: unknown) => warn(String(error))),
  };
}
