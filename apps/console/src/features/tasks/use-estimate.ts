import type { File, SmsType } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { countRecipients, estimateSegments, lastPrice, lastSpeed, type SegmentEstimate } from './estimate.ts';

export interface Estimate {
  /** Null before a file is read. */
  recipients: number | null;
  segments: SegmentEstimate | null;
  /** Of one segment, 1/10,000 PHP. */
  price: number | null;
  cost: number | null;
  /** Messages handed over in a second. */
  perSecond: number | null;
}

/**
 * What the customer's last tasks of a kind tell about the next one: price and speed. Both depend on the carriers, so
 * before a task is checked, and sent, they are all there is to go by.
 */
export function useLastTasks(smsType: SmsType | null): Pick<Estimate, 'price' | 'perSecond'> {
  const { data } = useCall(
    'GET /tasks',
    { query: { limit: 20, ...(smsType !== null && { smsType: `${smsType}` }) } },
    { enabled: smsType !== null, staleTime: 60_000 },
  );
  const tasks = data?.items ?? [];
  return { price: lastPrice(tasks), perSecond: lastSpeed(tasks) };
}

/** What a task will come to, as far as it can be told before the check. */
export function useEstimate(task: {
  content: string | null;
  file: File | undefined;
  mapping: readonly (number | null)[];
  smsType: SmsType | null;
}): Estimate {
  const { content, file, mapping, smsType } = task;
  const { price, perSecond } = useLastTasks(smsType);
  const read = file?.fileStatus === 'success' ? file : undefined;
  const recipients = read ? countRecipients(read, smsType) : null;
  const segments =
    content !== null && read && recipients !== null
      ? estimateSegments(content, read.sample, mapping, recipients)
      : null;
  const cost = price !== null && segments ? segments.segments * price : null;
  return { recipients, segments, price, cost, perSecond };
}
