/**
 * Traces of this process, sent by OTLP over HTTP as JSON, in batches. The packages are loaded only here, so that a
 * process without traces has none of their memory and start time. A receiver that is away costs spans and nothing else:
 * at most 2,048 wait.
 */
import { setTraces } from './message-traces.ts';
import type { RootIds } from './record-spans.ts';

export interface TraceOptions {
  /** Of an OTLP receiver; its path for traces is appended. */
  readonly endpoint: string;
  /** Part of the messages whose traces are recorded, 0 to 1. */
  readonly share: number;
}

export interface ProcessIdentity {
  /** Name of the process: `api-2`. */
  readonly role: string;
  readonly version: string;
}

export interface RunningTraces {
  /** Sends what waits; gives up after two seconds. */
  stop(): Promise<void>;
}

const longestFlushMs = 2_000;

export async function startTraces(
  { endpoint, share }: TraceOptions,
  { role, version }: ProcessIdentity,
  onError: (error: Error) => void,
): Promise<RunningTraces> {
  const [{ DiagLogLevel, diag }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { recordSpans }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('./record-spans.ts'),
    ]);
  const ignore = (): void => {};
  const error = (message: string): void => onError(new Error(message));
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  const random = new sdk.RandomIdGenerator();
  const rootIds: RootIds = { next: null };
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'pahatid',
      'service.version': version,
      'service.instance.id': `${role}-${process.pid}`,
      'pahatid.role': role,
    }),
    // What is recorded at all was chosen by the message id, the same in every process.
    sampler: new sdk.AlwaysOnSampler(),
    idGenerator: {
      generateTraceId: () => rootIds.next?.traceId ?? random.generateTraceId(),
      generateSpanId: () => rootIds.next?.rootSpanId ?? random.generateSpanId(),
    },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint}${endpoint.endsWith('/') ? '' : '/'}v1/traces` }),
      }),
    ],
  });
  setTraces(recordSpans(provider.getTracer('pahatid', version), rootIds, share));
  return {
    async stop() {
      setTraces(null);
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, longestFlushMs);
      });
      await Promise.race([provider.shutdown().catch(onError), patience]);
      clearTimeout(timer);
    },
  };
}
