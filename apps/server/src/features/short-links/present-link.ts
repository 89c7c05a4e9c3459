import type { ClickFigures, LinkClick, LinkState, ShortLink } from '@pahatid/contract';
import { AuditStatus, UseState } from '@pahatid/contract/enums';
import { getCustomerId, type Scope } from '@pahatid/db';
import type { ClickedMessage, ClickRow } from '@pahatid/db/queries/link-clicks';
import type { ClickSums, LinkDelivery } from '@pahatid/db/queries/link-statistics';
import type { ShortLinkRow } from '@pahatid/db/queries/short-links';
import type { Caller } from '../../http/call.ts';
import type { CsvColumn } from '../../http/csv.ts';
import { phoneFor } from '../../http/phones.ts';

const noSums: ClickSums = {
  clicks: 0,
  human: 0,
  head: 0,
  scanner: 0,
  early: 0,
  firsts: 0,
  taskFirsts: 0,
  firstAt: null,
  lastAt: null,
};

const stateOf = (row: ShortLinkRow, now: Date): LinkState => {
  if (row.blockedReason !== null) return 'blocked';
  if (row.auditStatus === AuditStatus.Pending) return 'pending';
  if (row.auditStatus === AuditStatus.Rejected) return 'rejected';
  if (row.useState === UseState.Disabled) return 'disabled';
  return row.expireTime <= now ? 'expired' : 'active';
};

export const presentFigures = (sums: ClickSums): ClickFigures => ({
  clickCount: sums.clicks,
  humanCount: sums.human,
  robotCount: sums.head + sums.scanner + sums.early,
  recipientCount: sums.firsts,
});

export const presentWhole = (sums: ClickSums, delivered: number) => ({
  ...presentFigures(sums),
  headCount: sums.head,
  scannerCount: sums.scanner,
  earlyCount: sums.early,
  deliveredCount: delivered,
  clickRate: delivered === 0 ? null : sums.taskFirsts / delivered,
  firstClickTime: sums.firstAt?.toISOString() ?? null,
  lastClickTime: sums.lastAt?.toISOString() ?? null,
});

export interface LinkFacts {
  sums: ReadonlyMap<string, ClickSums>;
  delivery: ReadonlyMap<string, LinkDelivery>;
  /** `https://` or `http://`. */
  scheme: string;
  now: Date;
}

export const presentLink = (row: ShortLinkRow, facts: LinkFacts, scope: Scope): ShortLink => {
  const delivery = facts.delivery.get(row.linkId);
  return {
    linkId: row.linkId,
    linkName: row.linkName,
    shortUrl: `${facts.scheme}${row.domain}/s/${row.code}`,
    domain: row.domain,
    code: row.code,
    targetUrl: row.targetUrl,
    fallbackUrl: row.fallbackUrl,
    mode: row.mode,
    appId: row.appId,
    appName: row.appName,
    templateId: row.templateId,
    templateName: row.templateName,
    expireTime: row.expireTime.toISOString(),
    useState: row.useState,
    linkState: stateOf(row, facts.now),
    auditStatus: row.auditStatus,
    auditCode: row.auditCode,
    auditReason: row.auditReason,
    blockedReason: row.blockedReason,
    version: row.version,
    createTime: row.createTime.toISOString(),
    updateTime: row.updateTime.toISOString(),
    createdBy: row.createdBy,
    taskCount: delivery?.taskCount ?? 0,
    ...presentWhole(facts.sums.get(row.linkId) ?? noSums, delivery?.delivered ?? 0),
    ...(getCustomerId(scope) === null && { operator: row.customerName }),
  };
};

export const presentClick = (
  row: ClickRow,
  message: (ClickedMessage & { msisdn: string }) | undefined,
  taskNames: Readonly<Record<string, string>>,
  user: Caller,
): LinkClick => ({
  clickId: row.clickId,
  clickTime: row.at.toISOString(),
  mobileNumber: message === undefined || message.msisdn === '' ? null : phoneFor(user, message.msisdn),
  taskId: message?.taskId ?? null,
  taskName: message?.taskId == null ? null : (taskNames[message.taskId] ?? null),
  carrier: message?.carrier ?? null,
  areaCode: message?.areaCode ?? null,
  os: row.os,
  browser: row.browser,
  device: row.device,
  verdict: row.verdict,
});

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

export const linkColumns: readonly CsvColumn<ShortLink>[] = [
  { head: head('短链名称', 'Name'), value: (row) => row.linkName },
  { head: head('短链', 'Short link'), value: (row) => row.shortUrl },
  { head: head('目标网址', 'Target'), value: (row) => row.targetUrl },
  { head: head('模式', 'Mode'), value: (row) => row.mode },
  { head: head('状态', 'State'), value: (row) => row.linkState },
  { head: head('应用', 'Application'), value: (row) => row.appName },
  { head: head('模板', 'Template'), value: (row) => row.templateName },
  { head: head('点击数', 'Clicks'), value: (row) => row.clickCount },
  { head: head('真人点击', 'Human clicks'), value: (row) => row.humanCount },
  { head: head('程序点击', 'Bot clicks'), value: (row) => row.robotCount },
  { head: head('点击人数', 'Recipients who clicked'), value: (row) => row.recipientCount },
  { head: head('送达数', 'Delivered'), value: (row) => row.deliveredCount },
  { head: head('点击率', 'Click rate'), value: (row) => row.clickRate },
  { head: head('首次点击', 'First click'), value: (row) => row.firstClickTime },
  { head: head('最近点击', 'Last click'), value: (row) => row.lastClickTime },
  { head: head('到期时间', 'Expires'), value: (row) => row.expireTime },
  { head: head('创建时间', 'Created'), value: (row) => row.createTime },
];

export const clickColumns: readonly CsvColumn<LinkClick>[] = [
  { head: head('点击时间', 'Time'), value: (row) => row.clickTime },
  { head: head('手机号码', 'Phone number'), value: (row) => row.mobileNumber },
  { head: head('任务', 'Task'), value: (row) => row.taskName },
  { head: head('运营商', 'Carrier'), value: (row) => row.carrier },
  { head: head('国家/地区', 'Country/region'), value: (row) => row.areaCode },
  { head: head('系统', 'System'), value: (row) => row.os },
  { head: head('浏览器', 'Browser'), value: (row) => row.browser },
  { head: head('设备', 'Device'), value: (row) => row.device },
  { head: head('判定', 'Verdict'), value: (row) => row.verdict },
];
