/** What a rule did, as mails, SMS and webhooks' readers are told of it. */
import type { NoticeParams } from '@pahatid/contract';
import { formatMoney } from '@pahatid/domain';
import type { Language } from '../http/csv.ts';
import { counted } from './counted.ts';

type Alert = NoticeParams['thresholdAlert'];

const measures = {
  'en-US': {
    messages: 'Messages',
    segments: 'Segments',
    cost: 'Spend',
    delivered: 'Delivered rate',
    failed: 'Failed rate',
    unknown: 'Unknown rate',
    delay: 'Receipt delay',
  },
  'zh-CN': {
    messages: '短信条数',
    segments: '计费条数',
    cost: '消费金额',
    delivered: '送达率',
    failed: '失败率',
    unknown: '未知率',
    delay: '回执延迟',
  },
} as const;

const periods = {
  'en-US': { hour: 'this hour', day: 'today', month: 'this month' },
  'zh-CN': { hour: '本小时', day: '今日', month: '本月' },
} as const;

/** A value in its unit: money, percent, seconds, or a count. */
export function formatMeasure(measure: Alert['measure'], value: number, lang: Language): string {
  if (measure === 'cost') return formatMoney(value, lang);
  if (measure === 'delay')
    return new Intl.NumberFormat(lang, { style: 'unit', unit: 'second', maximumFractionDigits: 0 }).format(value);
  if (measure === 'messages' || measure === 'segments' || measure === null)
    return new Intl.NumberFormat(lang).format(value);
  return new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 2 }).format(value / 10_000);
}

export function describeRule(alert: Alert, lang: Language): { subject: string; lead: string } {
  const zh = lang === 'zh-CN';
  const scope = alert.appId === null ? '' : zh ? `（应用 ${alert.appId}）` : ` (application ${alert.appId})`;
  const value = formatMeasure(alert.measure, alert.value, lang);
  const bound = formatMeasure(alert.measure, alert.bound, lang);
  if (alert.of === 'frequency' || alert.event === 'refused')
    return {
      subject: zh ? '发送频率限制已拦截短信' : 'A frequency limit has held messages back',
      lead: zh
        ? `发送频率限制${scope}在过去一小时内拦截了 ${value} 条短信。`
        : `Within the last hour a frequency limit${scope} held back ${counted(alert.value, 'message')}.`,
    };
  const measure = measures[lang][alert.measure ?? 'messages'];
  const period = alert.period === null ? '' : periods[lang][alert.period];
  const paused =
    alert.paused === 0
      ? ''
      : zh
        ? `已暂停 ${alert.paused} 个任务。`
        : ` ${alert.paused} ${alert.paused === 1 ? 'task was' : 'tasks were'} paused.`;
  switch (alert.event) {
    case 'limit':
      return {
        subject: zh ? `${measure}已达上限` : `${measure}: the limit is reached`,
        lead: zh
          ? `${period}${measure}${scope}为 ${value}，已达上限 ${bound}。新请求将被拒绝，进行中的任务等待下一周期。${paused}`
          : `${measure} ${period}${scope}: ${value} of ${bound}. New requests are refused, and running tasks wait for the next period.${paused}`,
      };
    case 'resume':
      return {
        subject: zh ? `${measure}：已恢复发送` : `${measure}: sending goes on`,
        lead: zh ? `被阈值${scope}暂停的发送已恢复。` : `What the threshold${scope} had paused goes on.`,
      };
    case 'over':
      return {
        subject: zh ? `${measure}已恢复正常` : `${measure} is back within bounds`,
        lead: zh
          ? `${measure}${scope}为 ${value}，阈值为 ${bound}。`
          : `${measure}${scope} is ${value}; the bound is ${bound}.`,
      };
    default:
      return {
        subject: zh ? `${measure}触发告警` : `${measure}: alert`,
        lead: zh
          ? `${period}${measure}${scope}为 ${value}，告警线为 ${bound}。${paused}`
          : `${measure}${period === '' ? '' : ` ${period}`}${scope}: ${value}; you asked to be told at ${bound}.${paused}`,
      };
  }
}
