import { type Erasure, type NumberExport, type Privacy, recordDaysRange, uploadDaysRange } from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { ErasureRow } from '@pahatid/db/queries/erasures';
import type { NumberMessageRow } from '@pahatid/db/queries/numbers';
import type { RetentionRow } from '@pahatid/db/queries/retention';
import type { CsvColumn } from '../../http/csv.ts';

const noCounts = {
  messageCount: 0,
  underWayCount: 0,
  optOutCount: 0,
  consentCount: 0,
  inboundCount: 0,
  fileCount: 0,
  exemptionCount: 0,
  groupCount: 0,
};

export const presentErasure = (row: ErasureRow): Erasure => ({
  erasureId: row.erasureId,
  mobileNumber: row.shownNumber,
  askedBy: row.askedBy,
  askedTime: row.askedAt.toISOString(),
  doneTime: row.doneAt?.toISOString() ?? null,
  counts: { ...noCounts, ...row.counts },
});

export const presentPrivacy = (
  customer: { customerId: string; customerName: string },
  row: RetentionRow | null,
  erasures: readonly ErasureRow[],
): Privacy => ({
  ...customer,
  recordDays: row?.recordDays ?? recordDaysRange.usual,
  uploadDays: row?.uploadDays ?? uploadDaysRange.usual,
  recordsBefore: row?.recordsBefore?.toISOString() ?? null,
  erasures: erasures.map(presentErasure),
});

export const presentMessage = (row: NumberMessageRow): NumberExport['messages'][number] => ({
  messageId: row.messageId,
  clientRequestTime: new Date(messageIdMs(row.messageId)).toISOString(),
  appId: row.appId,
  taskId: row.taskId,
  taskName: row.taskName,
  smsType: row.smsType,
  clientSid: row.clientSid,
  fullMessage: row.content,
  sendStatus: row.sendStatus,
  clientStatus: row.clientStatus,
  dealResult: row.dealResult,
  submissionTime: row.submittedAt?.toISOString() ?? null,
  clientReportTime: row.reportAt?.toISOString() ?? null,
});

/** One stored item of any kind. */
interface HeldLine {
  kind: 'message' | 'optOut' | 'consent' | 'inbound' | 'group' | 'click' | 'file';
  time: string;
  where: string;
  text: string;
  status: string;
}

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

export const heldColumns: readonly CsvColumn<HeldLine>[] = [
  { head: head('类别', 'Kind'), value: (line) => line.kind },
  { head: head('时间', 'Time'), value: (line) => line.time },
  { head: head('所在位置', 'Where'), value: (line) => line.where },
  { head: head('内容', 'Content'), value: (line) => line.text },
  { head: head('状态', 'Status'), value: (line) => line.status },
];

export function* heldLines(held: NumberExport): Generator<HeldLine> {
  for (const row of held.messages)
    yield {
      kind: 'message',
      time: row.clientRequestTime,
      where: [row.messageId, row.taskName ?? row.appId, row.clientSid].join(' / '),
      text: row.fullMessage,
      status: [row.sendStatus, row.clientStatus, row.dealResult ?? ''].join(' / '),
    };
  for (const row of held.optOuts)
    yield { kind: 'optOut', time: row.time, where: row.source, text: row.evidence ?? '', status: '' };
  for (const row of held.consents)
    yield {
      kind: 'consent',
      time: row.givenTime,
      where: [row.source, row.fileName ?? ''].filter(Boolean).join(' / '),
      text: row.wording,
      status: row.withdrawTime ?? '',
    };
  for (const row of held.inbound)
    yield { kind: 'inbound', time: row.time, where: row.destination, text: row.content, status: '' };
  for (const row of held.groups)
    yield { kind: 'group', time: row.joinTime, where: row.groupName, text: row.variables.join(' | '), status: '' };
  for (const row of held.clicks)
    yield {
      kind: 'click',
      time: row.time,
      where: [row.messageId, row.linkName].join(' / '),
      text: [row.os, row.browser, row.device].join(' / '),
      status: row.verdict ?? '',
    };
  for (const file of held.files)
    for (const { line, values } of file.rows)
      yield {
        kind: 'file',
        time: file.createTime,
        where: `${file.fileName} / ${line}`,
        text: values.join(' | '),
        status: '',
      };
}
