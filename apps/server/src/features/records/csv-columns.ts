/** Columns of exported records; values are those of the screen, with codes instead of labels. */
import type { RecordColumnName, SendRecord } from '@pahatid/contract';
import { type CsvColumn, column } from '../../http/csv.ts';
import type { RowOf } from '../../http/serve-list.ts';

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

type RecordColumn = CsvColumn<SendRecord> & { readonly name: RecordColumnName };

const columns: readonly RecordColumn[] = [
  { name: 'messageId', head: head('消息ID', 'Message ID'), value: (row) => row.messageId },
  {
    name: 'clientRequestTime',
    head: head('客户请求时间', 'Client request time'),
    value: (row) => row.clientRequestTime,
  },
  { name: 'phoneAddress', head: head('手机号', 'Phone address'), value: (row) => row.phoneAddress },
  { name: 'areaCode', head: head('国家/地区', 'Country'), value: (row) => row.areaCode },
  { name: 'clientSid', head: head('Sender ID', 'Sender ID'), value: (row) => row.clientSid },
  { name: 'sendStatus', head: head('发送状态', 'Send status'), value: (row) => row.sendStatus },
  { name: 'clientStatus', head: head('客户状态', 'Client status'), value: (row) => row.clientStatus },
  { name: 'dealResult', head: head('处理结果', 'Result'), value: (row) => row.dealResult },
  { name: 'carrierCode', head: head('运营商代码', 'Carrier code'), value: (row) => row.carrierCode },
  { name: 'taskId', head: head('任务ID', 'Task ID'), value: (row) => row.taskId },
  { name: 'taskName', head: head('任务名称', 'Task name'), value: (row) => row.taskName },
  { name: 'templateName', head: head('模板', 'Template'), value: (row) => row.templateName },
  { name: 'appId', head: head('应用ID', 'Application ID'), value: (row) => row.appId },
  { name: 'smsType', head: head('发送类型', 'Send type'), value: (row) => row.smsType },
  { name: 'fullMessage', head: head('短信内容', 'Full message'), value: (row) => row.fullMessage },
  { name: 'pkgTotal', head: head('计费条数', 'Segments'), value: (row) => row.pkgTotal },
  { name: 'submissionTime', head: head('提交时间', 'Submission time'), value: (row) => row.submissionTime },
  { name: 'clientReportTime', head: head('回执时间', 'Receipt time'), value: (row) => row.clientReportTime },
  { name: 'carrier', head: head('运营商', 'Carrier'), value: (row) => row.carrier },
];

const staffColumns: readonly RecordColumn[] = [
  { name: 'supplierAccount', head: head('供应商账号', 'Supplier account'), value: (row) => row.supplierAccount },
  { name: 'operator', head: head('客户主体', 'Operator'), value: (row) => row.operator },
];

/** `only`: the names of those that were chosen; left out, all that this reader may see. */
export const recordColumns = (isStaff: boolean, only?: readonly string[]): readonly CsvColumn<SendRecord>[] =>
  [...columns, ...(isStaff ? staffColumns : [])].filter(({ name }) => only === undefined || only.includes(name));

export const isStaffColumn = (name: string): boolean => staffColumns.some((column) => column.name === name);

export const exportColumns: readonly CsvColumn<RowOf<'GET /exports'>>[] = [
  column('创建时间', 'Created', (row) => row.createTime),
  column('导出ID', 'Export ID', (row) => row.exportId),
  column('状态', 'Status', (row) => row.state),
  column('应用ID', 'Application ID', (row) => row.appId),
  column('行数', 'Rows', (row) => row.rowCount),
  column('字节', 'Bytes', (row) => row.byteCount),
  column('结束时间', 'Ended', (row) => row.endTime),
  column('到期时间', 'Expires', (row) => row.expireTime),
];
