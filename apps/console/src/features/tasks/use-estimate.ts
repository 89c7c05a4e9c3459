import type { File, SmsType, TaskEstimate } from '@pahatid/contract';
import type { ApiError } from '../../lib/api/api-error.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { countRecipients, estimateSegments, isExact, type SegmentEstimate } from './estimate.ts';

/** For an estimate the server reads many rows; its inputs seldom change. */
const staleTime = 60_000;

export interface Estimate {
  /** Null before a file is read. */
  recipients: number | null;
  segments: SegmentEstimate | null;
  cost: number | null;
  /** Messages handed over in a second. */
  perSecond: number | null;
  /** What the server reckons over the rows of the file; undefined until it has. */
  figures: TaskEstimate | undefined;
  /** Why it can't. */
  problem: ApiError | null;
}

/** Estimates a task, as far as possible before the check. */
export function useEstimate(task: {
  templateId: string | null;
  /** Of the template, when it has come. */
  content: string | null;
  file: File | undefined;
  mapping: readonly (number | null)[];
  smsType: SmsType | null;
}): Estimate {
  const { templateId, content, file, mapping, smsType } = task;
  const read = file?.fileStatus === 'success' ? file : undefined;
  const isWhole = mapping.every((column) => column !== null);
  const ready = read !== undefined && content !== null && templateId !== null && smsType !== null && isWhole;
  const { data, error } = useCall(
    'GET /tasks/estimate',
    {
      query: {
        fileId: read?.fileId ?? '',
        templateId: templateId ?? '',
        smsType: `${smsType}`,
        ...(mapping.length > 0 && { columns: mapping.join(',') }),
      },
    },
    { enabled: ready && read.validCount > 0, staleTime },
  );
  const figures = ready ? data : undefined;
  const recipients = figures?.recipients ?? (read ? countRecipients(read, smsType) : null);
  return {
    recipients,
    segments: figures
      ? { segments: figures.segments, exact: isExact(figures) }
      : content !== null && read && recipients !== null
        ? estimateSegments(content, read.sample, mapping, recipients)
        : null,
    cost: figures?.cost ?? null,
    perSecond: figures?.speed?.perSecond ?? null,
    figures,
    problem: ready ? error : null,
  };
}
