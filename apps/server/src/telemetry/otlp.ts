import { hostname } from 'node:os';
import type { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export interface OtlpOptions {
  /** Base URL of an OTLP/HTTP receiver; each signal goes to a path of its own below it. */
  endpoint: string;
  serviceName: string;
  version: string;
  /** Called when something could not be sent and was dropped. */
  warn: (message: string) => void;
}

export type Resource = NonNullable<NonNullable<ConstructorParameters<typeof NodeTracerProvider>[0]>['resource']>;

export const EXPORT_WITHIN_MS = 3_000;

/** Describes this service to the receiver. The library's own package would also detect hosts and clouds, which is the collector's task. */
function describe(attributes: Record<string, string>): Resource {
  return {
    attributes,
    getRawAttributes: () => Object.entries(attributes),
    merge: other =>
      other ? describe({ ...attributes, ...(other.attributes as Record<string, string>) }) : describe(attributes),
  };
}

/** Several processes send the same metrics, and only the instance tells them apart. */
export const resourceOf = ({ serviceName, version }: OtlpOptions): Resource =>
  describe({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': `${hostname()}-${process.pid}`,
  });

/** The libraries report a lost batch to one place for the whole process. */
export async function loadApi(warn: OtlpOptions['warn']): Promise<typeof import('@opentelemetry/api')> {
  const api = await import('@opentelemetry/api');
  const quiet = (): void => {};
  api.diag.setLogger(
    { error: warn, warn: quiet, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  return api;
}
