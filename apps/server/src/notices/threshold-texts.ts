/** An alert of a threshold in the text of mails and SMS: which rule, of what, and the value that was measured. */
import type { NoticeParams } from '@pahatid/contract';
import { formatMoney, type Language, pumpingWindowMinutes } from '@pahatid/domain';
import { counted } from './counted.ts';

type Alert = NoticeParams['thresholdAlert'];

const measures = {
  'en-US': {
    messages: 'Messages',
    segments: 'Segments',
    cost: 'Cost',
    delivered: 'Delivery rate',
    failed: 'Failure rate',
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

const smsTypes = {
  'en-US': { 1: 'verification codes', 2: 'notifications', 3: 'marketing' },
  'zh-CN': { 1: '验证码', 2: '通知', 3: '营销' },
} as const;

const periods = {
  'en-US': { hour: 'per hour', day: 'per day', month: 'per month' },
  'zh-CN': { hour: '每小时', day: '每天', month: '每月' },
} as const;

const thisPeriod = {
  'en-US': { hour: 'this hour', day: 'today', month: 'this month' },
  'zh-CN': { hour: '本小时', day: '今日', month: '本月' },
} as const;

/** A value in its unit: money, percent, seconds, or a count. */
function formatMeasure(measure: Alert['measure'], value: number, lang: Language): string {
  if (measure === 'cost') return formatMoney(value, lang);
  if (measure === 'delay')
    return new Intl.NumberFormat(lang, { style: 'unit', unit: 'second', maximumFractionDigits: 0 }).format(value);
  if (measure === 'messages' || measure === 'segments' || measure === null)
    return new Intl.NumberFormat(lang).format(value);
  return new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 2 }).format(value / 10_000);
}

/** Volumes count things: their noun belongs to the number. */
function formatAmount(measure: Alert['measure'], value: number, lang: Language): string {
  if (measure !== 'messages' && measure !== 'segments') return formatMeasure(measure, value, lang);
  if (lang === 'zh-CN') return `${formatMeasure(measure, value, lang)} ${measure === 'messages' ? '条短信' : '条计费'}`;
  return counted(value, measure === 'messages' ? 'message' : 'segment');
}

/** What the rule applies to. */
function formatScope({ appId, appName, areaCode, carrier, smsType }: Alert, lang: Language): string {
  const zh = lang === 'zh-CN';
  const application = appName ?? appId;
  const parts = [
    application === null ? null : zh ? `应用“${application}”` : `application ${application}`,
    areaCode ?? null,
    carrier ?? null,
    smsType === null || smsType === undefined ? null : smsTypes[lang][smsType],
  ].filter((part) => part !== null);
  if (parts.length === 0) return zh ? '全部短信' : 'all messages';
  return parts.join(zh ? '、' : ', ');
}

/** The rule as its owner set it: “Delivery rate below 80%”, “10,000 messages per day”. */
function formatRule({ of, measure, period, bound }: Alert, lang: Language): string {
  const zh = lang === 'zh-CN';
  if (of === 'volume') {
    const amount = formatAmount(measure, bound, lang);
    const every = period === null ? '' : periods[lang][period];
    return zh ? `${every} ${amount}` : `${amount} ${every}`;
  }
  const limit = formatMeasure(measure, bound, lang);
  const name = measures[lang][measure ?? 'delivered'];
  if (measure === 'delivered') return zh ? `${name}低于 ${limit}` : `${name} below ${limit}`;
  return zh ? `${name}高于 ${limit}` : `${name} above ${limit}`;
}

/** What was measured, and of how much: “41.2% of 1,000 messages in the last hour”. */
function formatValue({ of, measure, period, value, amount, windowMinutes }: Alert, lang: Language): string {
  const zh = lang === 'zh-CN';
  if (of === 'volume') {
    const taken = formatAmount(measure, value, lang);
    const when = period === null ? '' : thisPeriod[lang][period];
    return zh ? `${when} ${taken}` : `${taken} ${when}`;
  }
  const figure = formatMeasure(measure, value, lang);
  const messages =
    amount === null || amount === undefined
      ? ''
      : zh
        ? `（${new Intl.NumberFormat(lang).format(amount)} 条短信）`
        : ` of ${counted(amount, 'message')}`;
  const inWindow = windowMinutes === null || windowMinutes === undefined ? '' : formatWindow(windowMinutes, lang);
  return zh ? `${inWindow}${figure}${messages}` : `${figure}${messages}${inWindow}`;
}

function formatWindow(minutes: number, lang: Language): string {
  const isHours = minutes % 60 === 0;
  const count = isHours ? minutes / 60 : minutes;
  if (lang === 'zh-CN') return `最近 ${count} ${isHours ? '小时' : '分钟'}为 `;
  const noun = isHours ? 'hour' : 'minute';
  return ` in the last ${count === 1 ? noun : counted(count, noun)}`;
}

type PumpingFacts = NonNullable<Alert['pumping']>;

/** What was unusual: “480 messages to numbers beginning with 639171, usually 12”. */
function formatPumping({ signal, key, usual }: PumpingFacts, value: number, lang: Language): string {
  const zh = lang === 'zh-CN';
  const number = (amount: number): string => formatMeasure(signal === 'conversion' ? 'delivered' : null, amount, lang);
  const country = (): string => new Intl.DisplayNames(lang, { type: 'region' }).of(key) ?? key;
  const what = {
    prefix: () =>
      zh
        ? `发往 ${key} 开头号码的短信 ${number(value)} 条`
        : `${counted(value, 'message')} to numbers beginning with ${key}`,
    country: () => (zh ? `发往${country()}的短信 ${number(value)} 条` : `${counted(value, 'message')} to ${country()}`),
    sequence: () =>
      zh
        ? `${key} 开头的连续号码 ${number(value)} 个`
        : `${counted(value, 'consecutive number')} beginning with ${key}`,
    repeats: () => (zh ? `发往重复号码的短信 ${number(value)} 条` : `${counted(value, 'message')} to repeated numbers`),
    conversion: () => (zh ? `验证码使用率 ${number(value)}` : `${number(value)} of codes entered`),
  }[signal]();
  if (usual === null) return zh ? `${what}（新应用）` : `${what}, from a new application`;
  return zh ? `${what}，平时 ${number(usual)}` : `${what}, usually ${number(usual)}`;
}

const pumpingActions = {
  'en-US': { slow: ' The application is slowed.', pause: ' The application is paused.' },
  'zh-CN': { slow: '该应用已被限速。', pause: '该应用已暂停。' },
} as const;

function describePumping(alert: Alert, facts: PumpingFacts, lang: Language): ReturnType<typeof describeRule> {
  const zh = lang === 'zh-CN';
  const application = facts.appName ?? facts.appId;
  const value = formatPumping(facts, alert.value, lang);
  const subject = zh ? `疑似短信刷量：应用“${application}”` : `Possible SMS pumping: application ${application}`;
  const { event } = alert;
  const action = event === 'slow' || event === 'pause' ? pumpingActions[lang][event] : '';
  const minutes = pumpingWindowMinutes;
  const lead = zh
    ? `${subject}。最近 ${minutes} 分钟：${value}。${action}`
    : `${subject}. In ${counted(minutes, 'minute')}: ${value}.${action}`;
  return { subject, lead, value };
}

export function describeRule(alert: Alert, lang: Language): { subject: string; lead: string; value: string } {
  if (alert.pumping) return describePumping(alert, alert.pumping, lang);
  const zh = lang === 'zh-CN';
  const scope = formatScope(alert, lang);
  const rule = formatRule(alert, lang);
  const value = formatValue(alert, lang);
  if (alert.of === 'frequency' || alert.event === 'refused') {
    const held = zh
      ? `过去一小时内拦截了 ${new Intl.NumberFormat(lang).format(alert.value)} 条短信`
      : `In the last hour, ${counted(alert.value, 'message')} ${alert.value === 1 ? 'was' : 'were'} blocked`;
    return {
      subject: zh ? `发送频率限制已拦截短信：${scope}` : `A frequency limit blocked messages: ${scope}`,
      lead: zh ? `发送频率限制（${scope}）${held}。` : `A frequency limit blocked messages (${scope}). ${held}.`,
      value: held,
    };
  }
  const paused =
    alert.paused === 0
      ? ''
      : zh
        ? `已暂停 ${alert.paused} 个任务。`
        : ` ${alert.paused} ${alert.paused === 1 ? 'task was' : 'tasks were'} paused.`;
  const fact = zh ? `${value}。` : `${value}.`;
  switch (alert.event) {
    case 'limit':
      return {
        subject: zh ? `已达上限（${rule}）：${scope}` : `Limit of ${rule} reached: ${scope}`,
        lead: zh
          ? `已达上限（${rule}，${scope}）。${fact}新请求将被拒绝，进行中的任务等待下一周期。${paused}`
          : `Limit of ${rule} reached (${scope}). ${fact} New requests are refused, and running tasks wait for the next period.${paused}`,
        value,
      };
    case 'resume':
      return {
        subject: zh ? `已恢复发送（${rule}）：${scope}` : `Sending resumed (${rule}): ${scope}`,
        lead: zh
          ? `被阈值（${rule}，${scope}）暂停的发送已恢复。`
          : `Sending paused by the threshold (${rule}, ${scope}) has resumed.`,
        value,
      };
    case 'over':
      return {
        subject: zh ? `已恢复正常（${rule}）：${scope}` : `Back to normal (${rule}): ${scope}`,
        lead: zh ? `阈值（${rule}，${scope}）已恢复正常。${fact}` : `Back to normal (${rule}, ${scope}). ${fact}`,
        value,
      };
    case 'pause':
      return {
        subject: zh ? `${rule}，已暂停发送：${scope}` : `${rule}, sending paused: ${scope}`,
        lead: zh ? `${rule}（${scope}）。${fact}${paused}` : `${rule} (${scope}). ${fact}${paused}`,
        value,
      };
    default: {
      const isVolume = alert.of === 'volume';
      const reached = isVolume ? (zh ? `已达到${rule}` : `${rule} reached`) : rule;
      return {
        subject: zh ? `${reached}：${scope}` : `${reached}: ${scope}`,
        lead: zh ? `${reached}（${scope}）。${fact}${paused}` : `${reached} (${scope}). ${fact}${paused}`,
        value,
      };
    }
  }
}
