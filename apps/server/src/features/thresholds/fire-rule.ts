/**
 * Records that a rule fired: its history, the owners' bells and mails, and its own contacts, unless those were notified
 * within the silence time. All of it in the transaction that locks the rule.
 */
import type { NoticeParams } from '@pahatid/contract';
import { insertOwnSms } from '@pahatid/db';
import { writeCustomerEvent } from '@pahatid/db/queries/callback-changes';
import { writeAlertEvents } from '@pahatid/db/queries/callback-events';
import { insertRuleEvent, type RuleRow } from '@pahatid/db/queries/threshold-rules';
import { markRule } from '@pahatid/db/queries/threshold-watching';
import { pumpingWindowMinutes } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { sendMail } from '../../mail/send-mail.ts';
import { writeNoticeMail } from '../../notices/notice-mail.ts';
import { type NotifyDeps, notify } from '../../notices/notify.ts';
import { describeRule } from '../../notices/threshold-texts.ts';

export interface RuleEvent {
  readonly kind: NoticeParams['thresholdAlert']['event'];
  readonly value: number;
  readonly bound: number;
  /** Messages that the value was taken of. */
  readonly amount: number | null;
  /** Tasks that it paused. */
  readonly paused: number;
  /** Of pumping. */
  readonly facts?: NoticeParams['thresholdAlert']['pumping'];
}

/** A rule's end is only recorded in the history, without notification. */
const silentKinds: readonly RuleEvent['kind'][] = ['over', 'resume'];

export async function fireRule(
  tx: PoolClient,
  rule: RuleRow,
  event: RuleEvent,
  now: Date,
  deps: NotifyDeps,
): Promise<void> {
  const isLoud = !silentKinds.includes(event.kind);
  const isSilent = rule.notifiedAt !== null && now.getTime() - rule.notifiedAt.getTime() < rule.silenceMinutes * 60_000;
  const notified = isLoud && !isSilent;
  await insertRuleEvent(tx, {
    customerId: rule.customerId,
    thresholdId: rule.thresholdId,
    kind: event.kind,
    value: event.value,
    bound: event.bound,
    amount: event.kind === 'pause' ? event.paused : event.amount,
    notified,
    userId: null,
    facts: event.facts ?? null,
  });
  if (!notified) return;
  const params: NoticeParams['thresholdAlert'] = {
    thresholdId: rule.thresholdId,
    of: rule.kind,
    event: event.kind,
    measure: rule.unit ?? rule.metric,
    period: rule.period,
    windowMinutes: rule.kind === 'pumping' ? pumpingWindowMinutes : rule.windowMinutes,
    value: event.value,
    bound: event.bound,
    amount: event.amount,
    appId: rule.appId,
    appName: rule.appName,
    areaCode: rule.areaCode,
    carrier: rule.carrier,
    smsType: rule.smsType,
    paused: event.paused,
    ...(event.facts && { pumping: event.facts }),
  };
  const notice = { kind: 'thresholdAlert', customerId: rule.customerId, params } as const;
  await notify(tx, notice, deps);
  for (const email of rule.emails)
    await sendMail(tx, { to: email, ...writeNoticeMail(notice, { locale: null }, deps.publicUrl) });
  const { subject, value } = describeRule(params, 'en-US');
  for (const msisdn of rule.msisdns) await insertOwnSms(tx, { msisdn, content: `Pahatid: ${subject}. ${value}` });
  const { thresholdId, customerId, webhooks } = rule;
  const { thresholdId: _, ...facts } = params;
  await writeAlertEvents(tx, { customerId, thresholdId, webhooks }, facts);
  await writeCustomerEvent(tx, { customerId, appId: rule.appId, type: 'alert', subjectId: thresholdId }, facts);
  await markRule(tx, rule.thresholdId, { notifiedAt: now });
}
