/** Columns of the csv files of tasks; values are those of the screens, with codes instead of labels. */
import type { SendDetail, SendLog, Task } from '@pahatid/contract';
import type { CsvColumn } from '../../http/csv.ts';

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });
/** Money leaves as pesos with four decimals. */
const pesos = (amount: number | null): string => (amount === null ? '' : (amount / 10_000).toFixed(4));

export const taskColumns: readonly CsvColumn<Task>[] = [
  { head: head('任务ID', 'Task ID'), value: (row) => row.taskId },
  { head: head('任务名称', 'Task name'), value: (row) => row.taskName },
  { head: head('任务状态', 'Task status'), value: (row) => row.taskStatus },
  { head: head('发送类型', 'Send type'), value: (row) => row.smsType },
  { head: head('应用', 'Application'), value: (row) => row.appName },
  { head: head('模板', 'Template'), value: (row) => row.templateName },
  { head: head('Sender ID', 'Sender ID'), value: (row) => row.senderId },
  { head: head('计划时间', 'Scheduled time'), value: (row) => row.planTime },
  { head: head('总数', 'Total'), value: (row) => row.totalCount },
  { head: head('已受理数', 'Accepted'), value: (row) => row.successCount },
  { head: head('失败数', 'Failed'), value: (row) => row.failedCount },
  { head: head('送达数', 'Delivered'), value: (row) => row.deliveredCount },
  { head: head('未送达数', 'Undelivered'), value: (row) => row.undeliveredCount },
  { head: head('未知数', 'Unknown'), value: (row) => row.unknownCount },
  { head: head('未确认数', 'Unconfirmed'), value: (row) => row.unconfirmedCount },
  { head: head('费用 (PHP)', 'Cost (PHP)'), value: (row) => pesos(row.chargedCost) },
  { head: head('创建时间', 'Created'), value: (row) => row.createTime },
  { head: head('开始时间', 'Started'), value: (row) => row.startTime },
  { head: head('结束时间', 'Ended'), value: (row) => row.endTime },
];

export const detailColumns: readonly CsvColumn<SendDetail>[] = [
  { head: head('消息ID', 'Message ID'), value: (row) => row.messageId },
  { head: head('手机号码', 'Mobile number'), value: (row) => row.mobileNumber },
  { head: head('发送状态', 'Send status'), value: (row) => row.sendStatus },
  { head: head('客户状态', 'Client status'), value: (row) => row.clientStatus },
  { head: head('处理结果', 'Result'), value: (row) => row.dealResult },
  { head: head('运营商代码', 'Carrier code'), value: (row) => row.carrierCode },
  { head: head('发送时间', 'Send time'), value: (row) => row.sendTime },
  { head: head('回执时间', 'Receipt time'), value: (row) => row.reportTime },
  { head: head('计费条数', 'Segments'), value: (row) => row.pkgTotal },
];

export const logColumns: readonly CsvColumn<SendLog>[] = [
  { head: head('发送时间', 'Send time'), value: (row) => row.sendTime },
  { head: head('总数', 'Total'), value: (row) => row.totalCount },
  { head: head('已受理数', 'Accepted'), value: (row) => row.successCount },
  { head: head('失败数', 'Failed'), value: (row) => row.failedCount },
];
