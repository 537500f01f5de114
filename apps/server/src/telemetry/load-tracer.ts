import type { Tracer } from '@opentelemetry/api';
import { EXPORT_WITHIN_MS, loadApi, type OtlpOptions, resourceOf } from './otlp.ts';

export interface LoadedTracer {
  api: typeof import('@opentelemetry/api');
  tracer: Tracer;
  stop(): Promise<void>;
}

export async function loadTracer(options: OtlpOptions): Promise<LoadedTracer> {
  const { endpoint, version, warn } = options;
  const [api, sdk, otlp] = await Promise.all([
    loadApi(warn),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_WITHIN_MS });
  const provider = new sdk.NodeTracerProvider({
    resource: resourceOf(options),
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
