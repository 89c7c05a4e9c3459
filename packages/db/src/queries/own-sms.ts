/** SMS of the provider itself: codes and notices, sent under the internal customer, which is charged nothing. */
import { uuidV7 } from '../ids.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

export const insertOwnSms = async (db: Db, sms: { msisdn: string; content: string }): Promise<void> => {
  await run(
    db,
    sql`insert into own_sms (sms_id, msisdn, content, created_at)
        values (${uuidV7()}, ${sms.msisdn}, ${sms.content}, ${dbNow()})`,
  );
};

/** Takes some permanently: they are deleted if the transaction commits. */
export const takeOwnSms = (tx: Db, limit: number): Promise<{ msisdn: string; content: string; isLate: boolean }[]> =>
  many(
    tx,
    sql`delete from own_sms where sms_id in (
          select sms_id from own_sms order by created_at limit ${limit} for update skip locked)
        returning msisdn, content, created_at < ${dbNow()} - interval '5 minutes' as "isLate"`,
  );

export interface SystemApplication {
  customerId: string;
  appId: string;
  senderId: string;
}

const ownAppId = 'pahatid-own';
const ownSenderId = 'PAHATID';

const findInternal = async (db: Db): Promise<string | null> =>
  (
    await maybe<{ customerId: string }>(
      db,
      sql`select customer_id as "customerId" from customer where internal and test_of is null order by created_at, customer_id limit 1`,
    )
  )?.customerId ?? null;

/** The internal customer's application and sender ID, made at the first need. */
export const needSystemApplication = async (tx: Db): Promise<SystemApplication> => {
  const known = await maybe<{ customerId: string }>(
    tx,
    sql`select customer_id as "customerId" from application where app_id = ${ownAppId}`,
  );
  if (known !== null) return { customerId: known.customerId, appId: ownAppId, senderId: ownSenderId };
  await run(tx, sql`select pg_advisory_xact_lock(hashtext('pahatid internal customer'))`);
  const customerId = (await findInternal(tx)) ?? (await insertInternal(tx));
  await run(
    tx,
    sql`insert into application (app_id, customer_id, app_name, remark_info, account, access_type, max_connect_num)
        values (${ownAppId}, ${customerId}, 'Pahatid', 'One-time codes and notices of the console', ${ownAppId}, 2, 1)
        on conflict do nothing`,
  );
  await run(
    tx,
    sql`insert into sender (id, customer_id, app_id, area_code, sender_id, use_state, audit_status, audited_at, operated_at,
                            remark_info, created_at)
        select ${uuidV7()}, ${customerId}, ${ownAppId}, 'PH', ${ownSenderId}, 1, 3, ${dbNow()}, ${dbNow()}, '', ${dbNow()}
        where not exists (select from sender where app_id = ${ownAppId})`,
  );
  return { customerId, appId: ownAppId, senderId: ownSenderId };
};

const insertInternal = async (tx: Db): Promise<string> => {
  const customerId = uuidV7();
  await run(
    tx,
    sql`insert into customer (customer_id, customer_name, internal, review_policy, quiet_hours_exempt, low_balance)
        values (${customerId}, ${'Pahatid (own messages)'}, true, 'never', true, 0)`,
  );
  return customerId;
};

/** What the development mailbox shows of SMS: the provider's own, the newest first. */
export const listOwnSmsTo = (
  data: Db,
  customerId: string,
  msisdn: string,
  limit: number,
): Promise<{ messageId: string; content: string }[]> =>
  many(
    data,
    sql`select message_id as "messageId", content from message
        where customer_id = ${customerId} and msisdn = ${msisdn} order by message_id desc limit ${limit}`,
  );

export const findInternalCustomer = findInternal;
