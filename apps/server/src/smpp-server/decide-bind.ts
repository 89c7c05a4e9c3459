/**
 * Whether a bind is accepted. An unknown system_id and a wrong password get the same answer after the same time; all
 * other reasons are given only to a peer that knows the password.
 */
import { timingSafeEqual } from 'node:crypto';
import { AccessType, UseState } from '@pahatid/contract/enums';
import { findSmppAccount, type SmppAccount, type SmppRefusalReason } from '@pahatid/db/queries/smpp-binds';
import { type BindRequest, STATUS } from '@pahatid/smpp';
import type { Pool } from 'pg';
import { isAllowed } from '../process/allowed-addresses.ts';
import { isLoopback } from '../process/config.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { FailedBinds } from './failed-binds.ts';
import { readTrialTicket } from './trial-ticket.ts';

/** A refusal of a wrong password takes at least so long. */
const REFUSAL_DELAY_MS = 1_000;

export interface BindRefusal {
  readonly status: number;
  readonly reason: SmppRefusalReason;
  readonly afterMs: number;
  /** Of a known system_id. */
  readonly account: SmppAccount | null;
  /** That was judged. */
  readonly clientIp: string;
}

export type BindDecision =
  | { readonly account: SmppAccount; readonly secretId: string; readonly clientIp: string }
  | BindRefusal;

export interface BindDeps {
  readonly control: Pool;
  readonly secrets: Secrets;
  readonly failures: FailedBinds;
  /** The demo's application may be used from this machine although it names no address. */
  readonly isDemo: boolean;
}

export async function decideBind(request: BindRequest, deps: BindDeps): Promise<BindDecision> {
  const { control, secrets, failures, isDemo } = deps;
  const { pdu } = request;
  const clientIp = readTrialTicket(secrets, request, new Date()) ?? request.clientIp;
  const account = await findSmppAccount(control, pdu.system_id);
  const addressKey = `address ${clientIp}`;
  // Strangers must not lock out the owner: only attempts from the owner's addresses count for the system_id.
  const isFromOwner = account === null || isAllowed(account.whiteListIp, clientIp);
  const nameKey = isFromOwner ? `name ${pdu.system_id}` : null;
  const refuse = (reason: SmppRefusalReason, status: number, afterMs = 0): BindDecision => {
    return { status, reason, afterMs, account, clientIp };
  };
  if (failures.isBlocked(addressKey) || (nameKey !== null && failures.isBlocked(nameKey)))
    return refuse('tooOften', STATUS.ESME_RBINDFAIL, REFUSAL_DELAY_MS);
  const secretId = matchPassword(account, secrets.hashSmppPassword(pdu.system_id, pdu.password));
  if (account === null || secretId === null) {
    failures.note(addressKey);
    if (nameKey !== null) failures.note(nameKey);
    return refuse('password', STATUS.ESME_RINVPASWD, REFUSAL_DELAY_MS);
  }
  const problem = findProblem(account, clientIp, isDemo);
  if (problem !== null) return refuse(problem, STATUS.ESME_RBINDFAIL);
  if (nameKey !== null) failures.clear(nameKey);
  return { account, secretId, clientIp };
}

/** Why an application may not bind from an address, or stay bound. */
export function findProblem(account: SmppAccount, clientIp: string, isDemo: boolean): SmppRefusalReason | null {
  if (account.useState === UseState.Disabled || account.customerUseState === UseState.Disabled) return 'disabled';
  if (account.accessType === AccessType.Http) return 'noAccess';
  const plain = clientIp.replace(/^::ffff:(?=\d+\.)/i, '');
  // Eight characters are too weak to face the world, so an empty list allows no address.
  if (account.whiteListIp.length === 0) return isDemo && isLoopback(plain) ? null : 'noAddresses';
  return isAllowed(account.whiteListIp, clientIp) ? null : 'address';
}

const noPassword = Buffer.alloc(32);

/** Compares with every live password, or with a dummy, so that the time shows nothing. */
function matchPassword(account: SmppAccount | null, hash: Buffer): string | null {
  let found: string | null = null;
  const live = account?.passwords ?? [];
  for (const { secretId, hash: stored } of live)
    if (timingSafeEqual(Buffer.from(stored, 'hex'), hash)) found = secretId;
  if (live.length === 0) timingSafeEqual(noPassword, hash);
  return found;
}
