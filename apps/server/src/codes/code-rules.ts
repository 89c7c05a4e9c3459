/**
 * How long codes are valid, how often they are sent, and what limits the total cost. Requests of strangers to a
 * destination are counted by their origin (browser, address, network), so that they use up their own share and not its
 * owner's: see docs/decisions/052.
 */
import type { AttemptLimit, CodeKey } from '@pahatid/db';
import { networkKeys } from '../http/network-keys.ts';

export const codeLifetimeMs = 5 * 60_000;
/** After a right code, for the new password. */
export const grantLifetimeMs = 10 * 60_000;
export const maxCodeTries = 5;
/** Requests that the jobs did not get to in this time are not answered any more. */
export const requestLifetimeMs = 2 * 60_000;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const resendMs = minute;
const perHour = 5;
const perDay = 10;

/** Origin of a request for a code, or of a guess. */
export interface CodeOrigin {
  readonly ip: string;
  /** Of the browser, or of the session that a signed-in person asks from. */
  readonly visitorHash: Buffer;
  /** Of a browser in which the owner of the destination has signed in before: it has a separate budget. */
  readonly deviceKey: string | null;
  /** A signed-in user, for a destination that has no owner yet. */
  readonly askedBy: string | null;
}

/**
 * Requests, counted before any lookup, so that a refusal reveals nothing about existing users. The first limit is one
 * code in a minute; the last bounds the installation as a whole, far beyond normal use, and a network's share of it is
 * the one before.
 */
export function requestLimits({ purpose, destination }: CodeKey, from: CodeOrigin, now: Date): AttemptLimit[] {
  const { address, network } = networkKeys(from.ip);
  const limit = (what: string, key: string, most: number, windowMs: number): AttemptLimit => ({
    what,
    key,
    limit: most,
    windowMs,
    now,
  });
  if (from.deviceKey !== null)
    return [
      limit('code.resend', `${purpose} ${destination} ${from.deviceKey}`, 1, resendMs),
      limit('code.device.hour', `${destination} ${from.deviceKey}`, perHour, hour),
      limit('code.device.day', `${destination} ${from.deviceKey}`, perDay, day),
    ];
  const by = from.askedBy ?? network;
  return [
    limit('code.resend', `${purpose} ${destination} ${from.askedBy ?? from.visitorHash.toString('hex')}`, 1, resendMs),
    limit('code.request.hour', `${destination} ${by}`, perHour, hour),
    limit('code.request.day', `${destination} ${by}`, perDay, day),
    limit('code.request.address', address, 30, hour),
    limit('code.request.network', network, 120, hour),
    limit('code.request.all', '', 20_000, hour),
  ];
}

/** Guesses by address, right or wrong, of any code: the five tries of each code apply in addition. */
export function tryLimits({ ip, deviceKey }: CodeOrigin, now: Date): AttemptLimit[] {
  const { address, network } = networkKeys(ip);
  if (deviceKey !== null) return [{ what: 'code.try.device', key: deviceKey, limit: 60, windowMs: 15 * minute, now }];
  return [
    { what: 'code.try.address', key: address, limit: 60, windowMs: 15 * minute, now },
    { what: 'code.try.network', key: network, limit: 240, windowMs: 15 * minute, now },
  ];
}

/**
 * Code mails to one address requested by unknown browsers: keeps a mailbox usable, and limits the guesses of an
 * attacker with many networks at one account to 250 a day.
 */
export function mailLimits(email: string, now: Date): AttemptLimit[] {
  return [
    { what: 'code.mail.hour', key: email, limit: 20, windowMs: hour, now },
    { what: 'code.mail.day', key: email, limit: 50, windowMs: day, now },
  ];
}

/** At the general price of a segment, 1/10,000 PHP. */
const smsPrice = 3_500;
/** What codes by SMS may cost a day, 1/10,000 PHP: ₱1,000. */
const smsMoneyPerDay = 10_000_000;
const smsPerDay = Math.floor(smsMoneyPerDay / smsPrice);
/** The rest is for browsers that are known. */
export const strangersSmsPerDay = Math.floor(smsPerDay * 0.8);
/** One network's share of that. */
const smsPerNetwork = 200;
/** Digits of a Philippine number that name a range of a million: 63 917 1. */
const prefixDigits = 6;

/** Of all ranges of Philippine mobile numbers. */
export const rangePrefixes: readonly string[] = Array.from(
  { length: 1_000 },
  (_, range) => `639${String(range).padStart(prefixDigits - 3, '0')}`,
);

/** Codes to one such range in ten minutes. */
export const smsPerRange = 60;

/** SMS that are really sent. Beyond one of these nothing is sent, and only the log and the staff are notified. */
export function smsLimits(
  msisdn: string,
  from: { readonly ip: string | null; readonly isKnownDevice: boolean; readonly askedBy: string | null },
  now: Date,
): AttemptLimit[] {
  const whole = (limit: number): AttemptLimit => ({ what: 'code.sms.day', key: '', limit, windowMs: day, now });
  if (from.isKnownDevice) return [whole(smsPerDay)];
  // Signed-in and anonymous requests for one number have separate budgets.
  const key = from.askedBy === null ? msisdn : `${msisdn} own`;
  return [
    { what: 'code.sms.hour', key, limit: perHour, windowMs: hour, now },
    { what: 'code.sms.number', key, limit: perDay, windowMs: day, now },
    { what: 'code.sms.prefix', key: msisdn.slice(0, prefixDigits), limit: smsPerRange, windowMs: 10 * minute, now },
    { what: 'code.sms.network', key: networkKeys(from.ip ?? '').network, limit: smsPerNetwork, windowMs: day, now },
    whole(strangersSmsPerDay),
  ];
}

/** Minimum share of sent codes that are used in normal use. */
export const conversionShare = 0.3;
export const conversionWindowMs = 10 * minute;

/** Requests of all kinds together; a rate of fewer means nothing. */
export const conversionLeast = 60;
/** For one network, which is stopped separately well before. */
const networkConversionLeast = 10;

/** Returns the scopes that compare used SMS with sent SMS, and the minimum count for a meaningful comparison. */
export const conversionScopes = (ip: string | null): readonly { readonly key: string; readonly least: number }[] => [
  { key: networkKeys(ip ?? '').network, least: networkConversionLeast },
  { key: '', least: conversionLeast },
];
