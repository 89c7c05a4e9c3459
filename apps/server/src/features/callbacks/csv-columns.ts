import type { Callback } from '@pahatid/contract';
import { type CsvColumn, column } from '../../http/csv.ts';
import type { RowOf } from '../../http/serve-list.ts';

export const callbackColumns: readonly CsvColumn<Callback>[] = [
  { head: { 'en-US': 'Time', 'zh-CN': '时间' }, value: (row) => row.time },
  { head: { 'en-US': 'Event ID', 'zh-CN': '事件ID' }, value: (row) => row.eventId },
  { head: { 'en-US': 'Type', 'zh-CN': '类型' }, value: (row) => row.type },
  { head: { 'en-US': 'Status', 'zh-CN': '状态' }, value: (row) => row.state },
  { head: { 'en-US': 'Application ID', 'zh-CN': '应用ID' }, value: (row) => row.appId },
  { head: { 'en-US': 'Address', 'zh-CN': '地址' }, value: (row) => row.url },
  { head: { 'en-US': 'Message ID', 'zh-CN': '短信ID' }, value: (row) => row.messageId },
  { head: { 'en-US': 'Message status', 'zh-CN': '短信状态' }, value: (row) => row.clientStatus },
  { head: { 'en-US': 'Attempts', 'zh-CN': '尝试次数' }, value: (row) => row.attempts },
  { head: { 'en-US': 'HTTP status', 'zh-CN': 'HTTP状态' }, value: (row) => row.lastStatus },
  { head: { 'en-US': 'Error', 'zh-CN': '错误' }, value: (row) => row.lastError },
  { head: { 'en-US': 'Last attempt', 'zh-CN': '最近尝试' }, value: (row) => row.lastTime },
  { head: { 'en-US': 'Delivered', 'zh-CN': '送达时间' }, value: (row) => row.deliverTime },
];

/** Without secrets and attempts. */
export const endpointColumns: readonly CsvColumn<RowOf<'GET /callback-endpoints'>>[] = [
  column('类型', 'Kind', (row) => row.kind),
  column('应用ID', 'Application ID', (row) => row.appId),
  column('应用', 'Application', (row) => row.appName),
  column('地址', 'Address', (row) => row.url),
  column('状态', 'Status', (row) => row.state),
  column('验证时间', 'Verified', (row) => row.verifyTime),
  column('开始失败', 'Failing since', (row) => row.failingSince),
  column('下次尝试', 'Next attempt', (row) => row.nextTryTime),
  column('停用时间', 'Disabled', (row) => row.disableTime),
  column('停用原因', 'Reason', (row) => row.disabledReason),
  column('等待中的事件', 'Waiting events', (row) => row.waiting),
  column('事件', 'Events', (row) => row.events.join(' ')),
  column('批量推送', 'In batches', (row) => String(row.batched)),
];
