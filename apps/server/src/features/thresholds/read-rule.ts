/** Converts user input to a rule, and checks what the schema can't. */
import { type ThresholdInput, thresholdInput } from '@pahatid/contract';
import type { RuleInput, RuleRow } from '@pahatid/db/queries/threshold-rules';
import { isEmail, parseMsisdn } from '@pahatid/domain';
import { assertCallbackUrl } from '../../callbacks/assert-callback-url.ts';
import type { Guard } from '../../callbacks/guard.ts';
import { fieldProblem } from '../../http/problem.ts';
import { validate } from '../../http/validate.ts';

/** Throws VALIDATION_FAILED with the field that is wrong. */
export function readRule(input: ThresholdInput, guard: Pick<Guard, 'readUrl'>): RuleInput {
  for (const [index, email] of input.emails.entries())
    if (!isEmail(email)) throw fieldProblem(`emails.${index}`, 'EMAIL');
  for (const [index, url] of input.webhooks.entries()) assertCallbackUrl(guard, url, `webhooks.${index}`);
  const msisdns = numbersOf('mobileNumbers', input.mobileNumbers);
  if (input.kind === 'volume') {
    const { alertAt, limitAt } = input;
    if (alertAt === null && limitAt === null) throw fieldProblem('limitAt', 'REQUIRED');
    if (alertAt !== null && limitAt !== null && alertAt > limitAt)
      throw fieldProblem('alertAt', 'TOO_BIG', { maximum: limitAt });
    return { ...input, msisdns };
  }
  if (input.kind === 'quality') {
    if (input.metric !== 'delay' && input.bound > 10_000) throw fieldProblem('bound', 'TOO_BIG', { maximum: 10_000 });
    if (input.act === 'pauseApplication' && input.appId === null) throw fieldProblem('appId', 'REQUIRED');
    return { ...input, msisdns };
  }
  if (input.kind === 'pumping') return { ...input, msisdns };
  if ([input.sameContentPer30s, input.perMinute, input.perHour, input.perDay].every((most) => most === null))
    throw fieldProblem('perDay', 'REQUIRED');
  return { ...input, exempt: numbersOf('exempt', input.exempt), msisdns };
}

const numbersOf = (field: string, texts: readonly string[]): string[] => [
  ...new Set(
    texts.map((text, index) => {
      const number = parseMsisdn(text);
      if (!number.ok) throw fieldProblem(`${field}.${index}`, 'PHONE');
      return number.msisdn;
    }),
  ),
];

/** Returns the input that would produce the rule. */
function writtenOf(row: RuleRow): ThresholdInput {
  const { appId, areaCode, carrier, smsType, useState, emails, webhooks, silenceMinutes } = row;
  const common = {
    appId,
    areaCode,
    carrier,
    smsType,
    useState,
    emails,
    webhooks,
    silenceMinutes,
    mobileNumbers: row.msisdns.map((digits) => `+${digits}`),
  };
  const own = {
    volume: { period: row.period, unit: row.unit, alertAt: row.alertAt, limitAt: row.limitAt },
    quality: {
      metric: row.metric,
      bound: row.bound,
      windowMinutes: row.windowMinutes,
      minVolume: row.minVolume,
      graceSeconds: row.graceSeconds,
      act: row.act,
    },
    pumping: { minVolume: row.minVolume, factor: row.factor, act: row.act, slowTo: row.slowTo },
    frequency: {
      sameContentPer30s: row.sameContentPer30s,
      perMinute: row.perMinute,
      perHour: row.perHour,
      perDay: row.perDay,
      exempt: row.exempt.map((digits) => `+${digits}`),
    },
  }[row.kind];
  return { kind: row.kind, ...common, ...own } as ThresholdInput;
}

/** Returns the rule with a change applied; throws if its kind has no such field. */
export function changeRule(row: RuleRow, change: object, guard: Pick<Guard, 'readUrl'>): RuleInput {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return readRule(validate(thresholdInput, { ...writtenOf(row), ...given }) as ThresholdInput, guard);
}
