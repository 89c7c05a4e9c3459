/** What test mode needs in addition to the rows of any customer, made at the first test key (decision 146). */
import { recordDaysRange, testMessagesADay } from '@pahatid/contract';
import { AccessType, UseState } from '@pahatid/contract/enums';
import { TEST_SUPPLIER, toLiveCustomer, toTestCustomer } from '@pahatid/domain';
import { type Db, many, one, run, sql } from '../sql.ts';
import { notify, ROUTING_CHANNEL } from './notify.ts';
import { setRetention } from './retention.ts';
import { insertRule } from './threshold-rules.ts';

/** Of test mode alone: no review lets it pass. So the first message needs no sender ID. */
export const testSenderId = 'TEST';

/** Segments a second, of all customers together: enough to try things out. */
const testTps = 200;

/** As nothing is charged, a volume bounds what is stored, and for how long. */
const boundTestMode = async (tx: Db, testCustomerId: string): Promise<void> => {
  const scope = { appId: null, areaCode: null, carrier: null, smsType: null };
  const contacts = { emails: [], mobileNumbers: [], msisdns: [], webhooks: [], silenceMinutes: 0 };
  const volume = { kind: 'volume', period: 'day', unit: 'messages', alertAt: null, limitAt: testMessagesADay } as const;
  await insertRule(
    tx,
    testCustomerId,
    { ...scope, ...contacts, ...volume, useState: UseState.Enabled },
    { userId: null },
  );
  await setRetention(tx, testCustomerId, { recordDays: recordDaysRange.least, uploadDays: 1 }, new Date());
};

/** What it refuses once for being too much puts off that message alone: customers share the account. */
const testProfile = {
  idBase: 'text',
  query: true,
  receiptHours: 1,
  receiptZoneMinutes: 0,
  statusClasses: { '0x58': 'queueFull' },
};

/**
 * Makes the test customer, the application that test keys of `appId` send as, and the account of the carrier, where they
 * are missing. `testAppId`: the id of a new application. Not in the scope of a customer.
 */
export const ensureTestMode = async (
  tx: Db,
  { customerId, appId, testAppId }: { customerId: string; appId: string; testAppId: string },
): Promise<void> => {
  const made = await run(
    tx,
    // Sealed by nothing: a program that does not know test mode can't use the account.
    sql`insert into supplier (supplier_id, supplier_account, host, port, system_id, password_sealed, bind_count,
          window_size, tps, profile, is_test)
        values (${TEST_SUPPLIER}, 'Test mode', 'localhost', 1, 'test', '', 2, 50, ${testTps}, ${JSON.stringify(testProfile)}, true)
        on conflict (supplier_id) do nothing`,
  );
  if (made === 1) await notify(tx, ROUTING_CHANNEL, '');
  const testCustomerId = toTestCustomer(customerId);
  const isNew = await run(
    tx,
    sql`insert into customer (customer_id, customer_name, internal, review_policy, quiet_hours_exempt, low_balance, test_of)
        values (${testCustomerId}, ${`Test mode of ${customerId}`}, true, 'never', true, 0, ${customerId})
        on conflict (customer_id) do nothing`,
  );
  if (isNew === 1) await boundTestMode(tx, testCustomerId);
  await run(
    tx,
    sql`insert into application (app_id, customer_id, app_name, remark_info, account, access_type, max_connect_num, test_of)
        values (${testAppId}, ${testCustomerId}, ${`Test mode of ${appId}`}, '', ${testAppId}, ${AccessType.Http}, 1, ${appId})
        on conflict (test_of) where test_of is not null do nothing`,
  );
};

/** Applications that test keys of this customer send as, with the one each is made for. Not in the scope of a customer. */
export const listTestApplications = (db: Db, customerId: string): Promise<{ appId: string; liveAppId: string }[]> =>
  many(
    db,
    sql`select app_id as "appId", test_of as "liveAppId" from application
        where customer_id = ${toTestCustomer(customerId)} and test_of is not null`,
  );

interface Lender {
  readonly customerId: string;
  readonly appId: string;
}

/**
 * The application of test mode, and the live one whose templates and sender IDs it uses; `appId` null: that of the scope.
 * Ids of others become '', which no row has.
 */
export const findLender = async (
  db: Db,
  testCustomerId: string,
  appId: string | null,
): Promise<{ appId: string; lender: Lender }> => {
  const found = await many<{ appId: string; liveAppId: string }>(
    db,
    sql`select app_id as "appId", test_of as "liveAppId" from application
        where customer_id = ${testCustomerId} and app_id = coalesce(${appId}::text, current_setting('pahatid.app_id', true))`,
  );
  const lender = { customerId: toLiveCustomer(testCustomerId), appId: found[0]?.liveAppId ?? '' };
  return { appId: found[0]?.appId ?? '', lender };
};

/**
 * Reads what the live application lends, in a transaction of its test customer, to whose row level security the live one's
 * rows are hidden: meanwhile its settings name the lender. Nothing else may run in the transaction at that time.
 */
export const readLent = async <T>(db: Db, lender: Lender, read: () => Promise<T>): Promise<T> => {
  const own = await one<Lender>(
    db,
    sql`select coalesce(current_setting('pahatid.customer_id', true), '') as "customerId",
          coalesce(current_setting('pahatid.app_id', true), '') as "appId"`,
  );
  await actFor(db, lender);
  const found = await read();
  await actFor(db, own);
  return found;
};

/** Until the transaction ends; without one, and so without row level security, it has no effect. */
const actFor = (db: Db, { customerId, appId }: Lender): Promise<number> =>
  run(
    db,
    sql`select set_config('pahatid.customer_id', ${customerId}, true), set_config('pahatid.app_id', ${appId}, true)`,
  );
