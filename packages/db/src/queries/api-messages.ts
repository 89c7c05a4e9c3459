/** Data that the messaging APIs need: the caller, what it may send with, and its remaining money. */

import type { AccessType, ChargeType, ValidFor } from '@pahatid/contract';
import { toLiveCustomer } from '@pahatid/domain';
import { auditStatus, useState } from '../literals.ts';
import { type Db, many, maybe, one, prepared, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';
import { testSenderId } from './test-mode.ts';
import { isLimitedCustomer } from './thresholds.ts';

export interface ApiSecret {
  secretId: string;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** Unix milliseconds; null: the current one. */
  expiresMs: number | null;
  lastUsedMs: number | null;
}

export interface ApiApplication {
  appId: string;
  customerId: string;
  useState: 0 | 1;
  customerUseState: 0 | 1;
  accessType: AccessType;
  whiteListIp: string[];
  /** Of HTTP, the expired ones included. */
  secrets: ApiSecret[];
  /** Sender IDs that may send, the one first that an empty choice means, then assigned numbers. */
  senders: string[];
  validFor: ValidFor;
  /** Its enabled address that receives the states of messages. */
  callbackUrl: string | null;
  /** Hours of the Manila day. */
  quietFrom: number;
  quietTo: number;
  quietHoursExempt: boolean;
  /** Texts must follow an approved template. */
  templateRequired: boolean;
  /** Bodies of its calls are recorded. */
  logsBodies: boolean;
}

/** Application `x` with the one whose settings it has as `a`: itself, or of one in test mode the live one. */
const settingsOf = sql`from application x join application a on a.app_id = coalesce(x.test_of, x.app_id)`;

/** In test mode with all that its live application may send with. */
export const findApiApplication = (db: Db, appId: string): Promise<ApiApplication | null> =>
  maybe<ApiApplication>(
    db,
    prepared(sql`select x.app_id as "appId", x.customer_id as "customerId", a.use_state as "useState", c.use_state as "customerUseState",
          a.access_type as "accessType", a.white_list_ip as "whiteListIp", a.valid_for as "validFor",
          (select e.url from callback_endpoint e where e.app_id = a.app_id and e.kind = 'application' and e.state = 'enabled'
            and (e.events is null or 'message.status' = any(e.events))) as "callbackUrl",
          c.quiet_from as "quietFrom", c.quiet_to as "quietTo",
          c.quiet_hours_exempt or x.test_of is not null as "quietHoursExempt",
          coalesce((select l.template_required from customer l where l.customer_id = coalesce(c.test_of, c.customer_id)),
            false) as "templateRequired",
          coalesce(c.call_bodies, false) as "logsBodies",
          coalesce((select jsonb_agg(jsonb_build_object('secretId', s.secret_id, 'hash', encode(s.secret_hash, 'hex'),
              'expiresMs', floor(extract(epoch from s.expires_at) * 1000), 'lastUsedMs', floor(extract(epoch from s.last_used_at) * 1000)))
            from application_secret s where s.app_id = a.app_id and s.kind = 'http'), '[]') as secrets,
          array(select d.sender_id from sender d where d.customer_id = a.customer_id and d.app_id = a.app_id
            and d.audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired})
              and d.use_state = ${useState.Enabled} order by d.area_code = 'PH' desc, d.created_at, d.id)
            || array(select n.number from assigned_number n where n.customer_id = a.customer_id and n.app_id = a.app_id
            and n.use_state = ${useState.Enabled} order by n.assigned_at, n.number)
            || case when x.test_of is not null then array[${testSenderId}::text] else '{}' end as senders
        ${settingsOf} join customer c on c.customer_id = a.customer_id where x.app_id = ${appId}`),
  );

export const touchSecret = async (db: Db, secretId: string, at: Date): Promise<void> => {
  await run(db, sql`update application_secret set last_used_at = ${at} where secret_id = ${secretId}`);
};

export interface ApiTemplate {
  /** Null if no version may send. */
  smsType: 1 | 2 | 3 | null;
  content: string | null;
}

/** A template of this application, in test mode of its live one, with the version that sends now. */
export const findApiTemplate = (
  db: Db,
  of: { customerId: string; appId: string; templateId: string },
): Promise<ApiTemplate | null> =>
  maybe<ApiTemplate>(
    db,
    prepared(sql`select v.sms_type as "smsType", v.content from template t
        left join template_version v on v.template_id = t.template_id and v.version = t.serving_version
        where t.customer_id = ${toLiveCustomer(of.customerId)} and t.template_id = ${of.templateId} and t.deleted_at is null
          and t.app_id = (select coalesce(test_of, app_id) from application where app_id = ${of.appId})`),
  );

/** Texts of the templates that send, of one application, in test mode of its live one. */
export const listServingTemplates = (
  db: Db,
  appId: string,
): Promise<{ templateId: string; smsType: number; content: string }[]> =>
  many(
    db,
    sql<{ templateId: string; smsType: number; content: string }>`select t.template_id as "templateId",
          v.sms_type as "smsType", v.content
        from template t join template_version v on v.template_id = t.template_id and v.version = t.serving_version
        where t.app_id = (select coalesce(test_of, app_id) from application where app_id = ${appId})
          and t.deleted_at is null order by t.template_id`,
  );

export interface Caller {
  appId: string;
  customerId: string;
  useState: 0 | 1;
  customerUseState: 0 | 1;
  /** Paused by one of the customer's rules, until a user resumes it. */
  isPaused: boolean;
  chargeType: ChargeType;
  /** That it may send to. */
  countries: readonly string[];
  internal: boolean;
  /** Its marketing goes only to phones whose consent is in force. */
  consentRequired: boolean;
  /** Whether it has limits on volume or frequency in use, or an application that is slowed; not yet those that were added while its row was locked. */
  isLimited: boolean;
  validFor: ValidFor;
}

const callerColumns = () =>
  sql`x.app_id as "appId", x.customer_id as "customerId", a.use_state as "useState",
          c.use_state as "customerUseState", a.paused_by is not null as "isPaused", a.charge_type as "chargeType", a.countries, c.internal,
          c.consent_required as "consentRequired",
          ${isLimitedCustomer(sql`c.customer_id`)} as "isLimited", a.valid_for as "validFor"`;

/** The application and its customer as they are now, without a lock; null: there is none. */
export const findCaller = (db: Db, appId: string): Promise<Caller | null> =>
  maybe<Caller>(
    db,
    prepared(
      sql`select ${callerColumns()} ${settingsOf} join customer c on c.customer_id = x.customer_id where x.app_id = ${appId}`,
    ),
  );

/**
 * Returns the current applications, with their customers' funds locked until the transaction ends, in one order so that
 * no two such transactions deadlock. `skipLocked`: without those whose rows another transaction holds. The rows of the
 * applications are shared, as the batches that refer to them will do, so that nothing waits for them later. `xid` shows
 * later whether this transaction was committed. `nowMs`: the database's instant.
 */
export const lockCallers = async (
  tx: Db,
  appIds: readonly string[],
  { skipLocked }: { readonly skipLocked: boolean },
): Promise<{ callers: Map<string, Caller>; xid: string | null; nowMs: number }> => {
  const wait = skipLocked ? sql`skip locked` : sql``;
  const rows = await many<Caller & { xid: string; nowMs: number }>(
    tx,
    prepared(sql`select ${callerColumns()}, pg_current_xact_id()::text as xid,
          (extract(epoch from ${dbNow()}) * 1000)::float8 as "nowMs"
        ${settingsOf} join customer c on c.customer_id = x.customer_id where x.app_id = any(${appIds})
        order by c.customer_id, x.app_id for no key update of c ${wait} for key share of x, a ${wait}`),
  );
  return {
    callers: new Map(rows.map((row) => [row.appId, row])),
    xid: rows[0]?.xid ?? null,
    nowMs: rows[0]?.nowMs ?? 0,
  };
};

/** Whether a transaction is in progress; one unknown to the server is not. */
export const isTransactionOpen = async (db: Db, xid: string): Promise<boolean> => {
  try {
    const { status } = await one<{ status: string | null }>(db, sql`select pg_xact_status(${xid}::xid8) as status`);
    return status === 'in progress';
  } catch (error) {
    // "transaction ID is in the future": the server went back to before it.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === '22023') return false;
    throw error;
  }
};

export const hasBatch = async (db: Db, batchId: bigint): Promise<boolean> =>
  (await maybe(db, sql`select 1 from batch where batch_id = ${String(batchId)}`)) !== null;
