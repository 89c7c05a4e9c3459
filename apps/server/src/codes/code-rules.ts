/** How long codes live, how often they are sent, and what bounds the cost of it all. */
import type { AttemptLimit, CodeKey } from '@pahatid/db';
import { networkKeys } from '../signing-in/network-keys.ts';

export const codeLifetimeMs = 5 * 60_000;
/** After a right code, for the new password. */
export const grantLifetimeMs = 10 * 60_000;
export const maxCodeTries = 5;
/** Requests that the jobs did not get to in this time are not answered any more. */
export const requestLifetimeMs = 2 * 60_000;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
export const resendMs = minute;

/**
 * Requests, counted before anything is looked up, so that what is refused says nothing of who exists. The first is one
 * code in a minute; the last bounds the installation as a whole, far beyond what people ask for.
 */
export function requestLimits({ purpose, destination }: CodeKey, ip: string, now: Date): AttemptLimit[] {
  const { address, network } = networkKeys(ip);
  return [
    { what: 'code.resend', key: `${purpose} ${destination}`, limit: 1, windowMs: resendMs, now },
    { what: 'code.request.hour', key: destination, limit: 5, windowMs: hour, now },
    { what: 'code.request.day', key: destination, limit: 10, windowMs: day, now },
    { what: 'code.request.address', key: address, limit: 30, windowMs: hour, now },
    { what: 'code.request.network', key: network, limit: 120, windowMs: hour, now },
    { what: 'code.request.all', key: '', limit: 20_000, windowMs: hour, now },
  ];
}

/** Guesses by address, right or wrong, of whatever code: the five tries of each code hold beside these. */
export function tryLimits(ip: string, now: Date): AttemptLimit[] {
  const { address, network } = networkKeys(ip);
  return [
    { what: 'code.try.address', key: address, limit: 60, windowMs: 15 * minute, now },
    { what: 'code.try.network', key: network, limit: 240, windowMs: 15 * minute, now },
  ];
}

/** At the general price of a segment, 1/10,000 PHP. */
const smsPrice = 3_500;
/** What codes by SMS may cost a day, 1/10,000 PHP: ₱1,000. */
const smsMoneyPerDay = 10_000_000;
export const smsPerDay = Math.floor(smsMoneyPerDay / smsPrice);
/** Digits of a Philippine number that name a range of a million: 63 917 1. */
const prefixDigits = 6;

/** Codes to one such range in ten minutes. */
export const smsPerRange = 60;

/** SMS that really go out. Past one of these nothing is sent, and nobody is told but the log and the staff. */
export function smsLimits(msisdn: string, now: Date): AttemptLimit[] {
  return [
    { what: 'code.sms.prefix', key: msisdn.slice(0, prefixDigits), limit: smsPerRange, windowMs: 10 * minute, now },
    { what: 'code.sms.day', key: '', limit: smsPerDay, windowMs: day, now },
  ];
}

export const conversionWindowMs = 10 * minute;
/** Fewer tell nothing. */
export const conversionLeast = 20;
/** Of those sent, at least so many are used where people ask for them. */
export const conversionShare = 0.3;
