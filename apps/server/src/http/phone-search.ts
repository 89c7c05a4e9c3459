/** Parses a phone search and limits it to what the user may search by. */
import { countAttempt, readAttempt } from '@pahatid/db';
import { maskHead, maskMsisdn, maskTail, parseMsisdn } from '@pahatid/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import type { CallAudit, Caller } from './call.ts';
import { seesPhones } from './phones.ts';
import { tooOften } from './problem.ts';

/** No number begins with it. */
const noNumber = 'none';
/** Full numbers that a user who sees them masked may look up per hour. */
const lookUpLimit = 20;
const hourMs = 3_600_000;

/**
 * Full numbers in any spelling become their MSISDN; prefixes are read as Philippine ones (`0917`, `917`) unless they
 * have a country code (`+65`, `0065`, `63`). Text without a digit matches no number; returns undefined if the input is
 * empty.
 */
export function toPhonePrefix(typed: string): string | undefined {
  const whole = parseMsisdn(typed);
  if (whole.ok) return whole.msisdn;
  const digits = typed.replace(/\D/g, '').slice(0, 15);
  if (digits === '') return typed.trim() === '' ? undefined : noNumber;
  if (typed.trim().startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  if (digits.startsWith('0')) return `63${digits.slice(1)}`;
  return digits.startsWith('9') || digits.startsWith('8') ? `63${digits}` : digits;
}

/** Leading and trailing digits of a number; omitted if there is no filter. */
export interface PhoneFilter {
  readonly msisdnPrefix?: string;
  readonly msisdnSuffix?: string;
}

interface LookUp {
  readonly user: Caller;
  readonly request: Pick<FastifyRequest, 'method'>;
  readonly wantsCsv: boolean;
  readonly inScope: (work: (tx: PoolClient) => Promise<void>) => Promise<void>;
  readonly audit: (tx: PoolClient, entry: CallAudit) => Promise<void>;
}

/**
 * Returns the filter for the typed text. A user who sees numbers masked can search by the visible digits only, because
 * the hidden ones could be found by trial: `63******4567`, `63` or `4567`. A full number is matched as well; each one
 * is counted and audited, and RATE_LIMITED is thrown past the limit.
 */
export async function readPhoneFilter(
  { deps }: FastifyInstance['api'],
  call: LookUp,
  typed: string | undefined,
): Promise<PhoneFilter> {
  const prefix = typed === undefined ? undefined : toPhonePrefix(typed);
  if (typed === undefined || prefix === undefined) return {};
  if (seesPhones(call.user.role) || prefix === noNumber) return { msisdnPrefix: prefix };
  if (!parseMsisdn(typed).ok) return visibleDigits(typed, prefix);
  const isFirst = await countLookUp(deps, call.user, prefix);
  // An export has a separate entry, which contains the number.
  if (isFirst && !call.wantsCsv && call.request.method === 'GET')
    await call.inScope((tx) =>
      call.audit(tx, { action: 'lookUp', subjectType: 'number', subjectId: maskMsisdn(prefix) }),
    );
  return { msisdnPrefix: prefix };
}

function visibleDigits(typed: string, prefix: string): PhoneFilter {
  const [head = '', ...rest] = typed.split(/[*•]+/);
  if (rest.length > 0) {
    const first = head.replace(/\D/g, '').slice(0, maskHead);
    const last = (rest.at(-1) ?? '').replace(/\D/g, '').slice(-maskTail);
    return { ...(first !== '' && { msisdnPrefix: first }), ...(last !== '' && { msisdnSuffix: last }) };
  }
  const digits = typed.replace(/\D/g, '');
  return digits.length === maskTail ? { msisdnSuffix: digits } : { msisdnPrefix: prefix.slice(0, maskHead) };
}

/**
 * Counts one look-up of a user who sees numbers masked; returns true if it is the first of this number in an hour,
 * because the pages of one look-up count once. Throws RATE_LIMITED past the limit.
 */
export async function countLookUp(
  deps: FastifyInstance['api']['deps'],
  user: Pick<Caller, 'userId' | 'role'>,
  msisdn: string,
): Promise<boolean> {
  if (seesPhones(user.role)) return false;
  // Software sees numbers whole, as a member does.
  if (user.userId === null) throw new Error('software looks up no masked numbers');
  const { control } = deps.pools;
  const now = deps.now();
  const window = { windowMs: hourMs, now };
  const same = { what: 'phoneLookUp.number', key: `${user.userId} ${msisdn}`, limit: 1, ...window };
  if ((await readAttempt(control, same, now)).count > 0) return false;
  const { allowed, endsAt } = await countAttempt(control, {
    what: 'phoneLookUp',
    key: user.userId,
    limit: lookUpLimit,
    ...window,
  });
  if (!allowed) throw tooOften(endsAt, now);
  return (await countAttempt(control, same)).allowed;
}
