import type { Tracer } from '@opentelemetry/api';
import type { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export interface TracingOptions {
  /** Base URL of an OTLP/HTTP receiver; traces go to `/v1/traces` below it. */
  endpoint: string;
  serviceName: string;
  version: string;
  /** Called when spans could not be sent and were dropped. */
  warn: (message: string) => void;
}

export interface LoadedTracer {
  api: typeof import('@opentelemetry/api');
  tracer: Tracer;
  stop(): Promise<void>;
}

type Resource = NonNullable<NonNullable<ConstructorParameters<typeof NodeTracerProvider>[0]>['resource']>;

const EXPORT_WITHIN_MS = 3_000;

/** Describes this service to the receiver. The library's own package would also detect hosts and clouds, which is the collector's task. */
function resourceOf(attributes: Record<string, string>): Resource {
  return {
    attributes,
    getRawAttributes: () => Object.entries(attributes),
    merge: other =>
      other ? resourceOf({ ...attributes, ...(other.attributes as Record<string, string>) }) : resourceOf(attributes),
  };
}

export async function loadTracer({ endpoint, serviceName, version, warn }: TracingOptions): Promise<LoadedTracer> {
  const [api, sdk, otlp] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const quiet = (): void => {};
  api.diag.setLogger(
    { error: warn, warn: quiet, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_WITHIN_MS });
  const provider = new sdk.NodeTracerProvider({
    resource: resourceOf({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  provider.register();
  return {
    api,
    tracer: provider.getTracer('coinslot', version),
    async stop() {
      await provider.shutdown().catch((error: unknown) => warn(String(error)));
      for (const part of [api.trace, api.context, api.propagation, api.diag]) part.disable();
    },
  };
}
