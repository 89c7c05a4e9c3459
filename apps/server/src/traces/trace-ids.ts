/**
 * Ids of a message's trace, derived from its message id: processes that meet the message later name the same trace, and
 * nothing about it is stored or sent along. With a shell: `printf %s MESSAGE_ID | sha256sum | cut -c 1-32`.
 */
import { createHash } from 'node:crypto';

export interface TraceIds {
  /** 32 hexadecimal digits: the first 16 octets of SHA-256 of the decimal message id. */
  readonly traceId: string;
  /** Of the span `accept`, the root: the 8 octets after. */
  readonly rootSpanId: string;
}

export function deriveTraceIds(messageId: bigint): TraceIds {
  const hash = createHash('sha256').update(String(messageId)).digest('hex');
  return { traceId: hash.slice(0, 32), rootSpanId: hash.slice(32, 48) };
}

const drawn = 2 ** 48;

/** Whether a trace belongs to the share (0 to 1) that is recorded: the same in every process, by the end of its id. */
export const isSampled = (traceId: string, share: number): boolean =>
  Number.parseInt(traceId.slice(-12), 16) >= (1 - share) * drawn;
