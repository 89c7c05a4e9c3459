import type { File, SmsType } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { countRecipients, estimateSegments, lastPrice, type SegmentEstimate } from './estimate.ts';

export interface Estimate {
  /** Null before a file is read. */
  recipients: number | null;
  segments: SegmentEstimate | null;
  /** Of one segment, 1/10,000 PHP. */
  price: number | null;
  cost: number | null;
}

/** What a task will come to. Prices differ by carrier, so before the check it is reckoned at the last task's price. */
export function useEstimate(task: {
  content: string | null;
  file: File | undefined;
  mapping: readonly (number | null)[];
  smsType: SmsType | null;
}): Estimate {
  const { content, file, mapping, smsType } = task;
  const { data } = useCall(
    'GET /tasks',
    { query: { limit: 20, ...(smsType !== null && { smsType: `${smsType}` }) } },
    { enabled: smsType !== null, staleTime: 60_000 },
  );
  const price = lastPrice(data?.items ?? []);
  const read = file?.fileStatus === 'success' ? file : undefined;
  const recipients = read ? countRecipients(read, smsType) : null;
  const segments =
    content !== null && read && recipients !== null
      ? estimateSegments(content, read.sample, mapping, recipients)
      : null;
  return { recipients, segments, price, cost: price !== null && segments ? segments.segments * price : null };
}
