import type { Threshold } from '@pahatid/contract';
import { type CsvColumn, column } from '../../http/csv.ts';
import type { RowOf } from '../../http/serve-list.ts';

const head = (zh: string, en: string): CsvColumn<Threshold>['head'] => ({ 'zh-CN': zh, 'en-US': en });

export const thresholdColumns: readonly CsvColumn<Threshold>[] = [
  { head: head('编号', 'ID'), value: (row) => row.thresholdId },
  { head: head('类型', 'Kind'), value: (row) => row.kind },
  { head: head('使用状态', 'Use status'), value: (row) => row.useState },
  { head: head('设置方', 'Set by'), value: (row) => row.setBy },
  { head: head('应用', 'Application'), value: (row) => row.appId },
  { head: head('国家/地区', 'Country/region'), value: (row) => row.areaCode },
  { head: head('运营商', 'Carrier'), value: (row) => row.carrier },
  { head: head('短信类型', 'SMS type'), value: (row) => row.smsType },
  { head: head('周期', 'Period'), value: (row) => row.period },
  { head: head('单位', 'Unit'), value: (row) => row.unit ?? row.metric },
  { head: head('告警值', 'Alert at'), value: (row) => row.alertAt ?? row.bound ?? row.minVolume },
  { head: head('上限', 'Limit at'), value: (row) => row.limitAt },
  { head: head('当前值', 'Value'), value: (row) => row.state.value },
  { head: head('最近事件', 'Last event'), value: (row) => row.lastEvent?.event },
  { head: head('最近事件的值', 'Value of the last event'), value: (row) => row.lastEvent?.value },
  { head: head('最近事件的阈值', 'Bound of the last event'), value: (row) => row.lastEvent?.bound },
  { head: head('最近事件时间', 'Time of the last event'), value: (row) => row.lastEvent?.time },
];

export const eventColumns: readonly CsvColumn<RowOf<'GET /thresholds/:thresholdId/events'>>[] = [
  column('时间', 'Time', (row) => row.time),
  column('事件', 'Event', (row) => row.event),
  column('数值', 'Value', (row) => row.value),
  column('界限', 'Bound', (row) => row.bound),
  column('数量', 'Amount', (row) => row.amount),
  column('已通知', 'Notified', (row) => (row.notified ? 1 : 0)),
  column('操作人', 'User', (row) => row.userName),
];
