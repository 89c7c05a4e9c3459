/** Spans of messages by an OpenTelemetry tracer: `accept`, below it `submit_sm` for each part and `receipt`. */
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api';
import { ClientStatus } from '@pahatid/contract/enums';
import type { MessageTraces } from './message-traces.ts';
import { deriveTraceIds, isSampled, type TraceIds } from './trace-ids.ts';

/** Gives the next root span its derived ids; other spans have random ones. */
export interface RootIds {
  next: TraceIds | null;
}

const statusNames = new Map<number, string>(Object.entries(ClientStatus).map(([name, value]) => [value, name]));

export function recordSpans(tracer: Tracer, rootIds: RootIds, share: number): MessageTraces {
  const sampled = (messageId: bigint): TraceIds | null => {
    const ids = deriveTraceIds(messageId);
    return isSampled(ids.traceId, share) ? ids : null;
  };
  const below = (
    { traceId, rootSpanId }: TraceIds,
    name: string,
    span: { kind: SpanKind; startTime: number; attributes: Record<string, string | number> },
  ): Span => {
    const parent = { traceId, spanId: rootSpanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
    return tracer.startSpan(name, span, trace.setSpanContext(ROOT_CONTEXT, parent));
  };
  return {
    accepted(messages, by, sinceMs) {
      for (const { messageId, smsType } of messages) {
        rootIds.next = sampled(messageId);
        if (rootIds.next === null) continue;
        const attributes = {
          'pahatid.message_id': String(messageId),
          'pahatid.lane': smsType,
          'pahatid.accepted_by': by,
        };
        tracer
          .startSpan('accept', { root: true, kind: SpanKind.PRODUCER, startTime: sinceMs, attributes }, ROOT_CONTEXT)
          .end();
        rootIds.next = null;
      }
    },
    submitted({ messageId, supplier, lane, part, status, tookMs }) {
      const ids = sampled(messageId);
      if (ids === null) return;
      const now = Date.now();
      const attributes = {
        'pahatid.message_id': String(messageId),
        'pahatid.lane': lane,
        'pahatid.supplier': supplier,
        'pahatid.part': part,
        ...(status !== null && { 'smpp.command_status': status }),
      };
      const span = below(ids, 'submit_sm', { kind: SpanKind.CLIENT, startTime: now - tookMs, attributes });
      if (status !== 0) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(now);
    },
    received(receipts, sinceMs) {
      for (const { messageId, clientStatus, carrierCode } of receipts) {
        const ids = sampled(messageId);
        if (ids === null) continue;
        const attributes = {
          'pahatid.message_id': String(messageId),
          'pahatid.status': statusNames.get(clientStatus) ?? String(clientStatus),
          ...(carrierCode !== null && { 'pahatid.carrier_code': carrierCode }),
        };
        below(ids, 'receipt', { kind: SpanKind.CONSUMER, startTime: sinceMs, attributes }).end();
      }
    },
  };
}
