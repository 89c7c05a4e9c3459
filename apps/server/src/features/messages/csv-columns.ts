/** Columns of `GET /messages` as csv: the fields of its items. */
import type { ListedMessage } from '@pahatid/contract';
import type { CsvColumn } from '../../http/csv.ts';

const names = [
  ...(['messageId', 'clientRef', 'tags', 'clientRequestTime', 'sendAt', 'phoneAddress', 'areaCode'] as const),
  ...(['clientSid', 'sendStatus', 'clientStatus', 'dealResult', 'carrierCode', 'smsType', 'fullMessage'] as const),
  ...(['pkgTotal', 'submissionTime', 'clientReportTime', 'carrier', 'taskId', 'templateId', 'replyTo'] as const),
  'chargedCost',
] as const satisfies readonly (keyof ListedMessage)[];

export const messageColumns: readonly CsvColumn<ListedMessage>[] = names.map((name) => ({
  // Software reads it: names of fields, whatever the language.
  head: { 'zh-CN': name, 'en-US': name },
  value: (row) => (name === 'tags' ? row.tags.join(' ') : row[name]),
}));
