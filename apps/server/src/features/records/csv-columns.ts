/** Columns of exported records; values are those of the screen, codes where it shows words. */
import type { SendRecord } from '@pahatid/contract';
import type { CsvColumn } from '../../http/csv.ts';

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

const columns: readonly CsvColumn<SendRecord>[] = [
  { head: head('消息ID', 'Message ID'), value: (row) => row.messageId },
  { head: head('客户请求时间', 'Client request time'), value: (row) => row.clientRequestTime },
  { head: head('手机号', 'Phone address'), value: (row) => row.phoneAddress },
  { head: head('国家/地区', 'Country'), value: (row) => row.areaCode },
  { head: head('发件人ID', 'Sender ID'), value: (row) => row.clientSid },
  { head: head('发送状态', 'Send status'), value: (row) => row.sendStatus },
  { head: head('客户状态', 'Client status'), value: (row) => row.clientStatus },
  { head: head('处理结果', 'Result'), value: (row) => row.dealResult },
  { head: head('运营商代码', 'Carrier code'), value: (row) => row.carrierCode },
  { head: head('任务ID', 'Task ID'), value: (row) => row.taskId },
  { head: head('任务名称', 'Task name'), value: (row) => row.taskName },
  { head: head('应用ID', 'Application ID'), value: (row) => row.appId },
  { head: head('发送类型', 'Send type'), value: (row) => row.smsType },
  { head: head('短信内容', 'Full message'), value: (row) => row.fullMessage },
  { head: head('计费条数', 'Segments'), value: (row) => row.pkgTotal },
  { head: head('提交时间', 'Submission time'), value: (row) => row.submissionTime },
  { head: head('回执时间', 'Receipt time'), value: (row) => row.clientReportTime },
  { head: head('运营商', 'Carrier'), value: (row) => row.carrier },
];

const staffColumns: readonly CsvColumn<SendRecord>[] = [
  { head: head('供应商账号', 'Supplier account'), value: (row) => row.supplierAccount },
  { head: head('客户主体', 'Operator'), value: (row) => row.operator },
];

export const recordColumns = (isStaff: boolean): readonly CsvColumn<SendRecord>[] =>
  isStaff ? [...columns, ...staffColumns] : columns;
