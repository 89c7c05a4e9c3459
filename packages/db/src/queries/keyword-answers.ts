/** Answers that keyword rules give: queued with the reply, sent by a job, shown in the thread. */
import { type Db, many, run, sql } from '../sql.ts';

/** A rule answers a phone once in this time, and all rules together so often in a day: two automata would go on forever. */
const oncePer = sql`interval '1 hour'`;
const mostPerDay = 10;

interface NewKeywordAnswer {
  customerId: string;
  inboundId: string;
  ruleId: string;
  appId: string;
  msisdn: string;
  keyword: string;
  templateId: string;
  at: Date;
}

/**
 * In the transaction that stores the reply, so that neither is there without the other. The lock on the conversation lets
 * replies of a phone that come at the same time be counted one after the other. False: the phone had enough answers.
 */
export const queueKeywordAnswer = async (tx: Db, row: NewKeywordAnswer): Promise<boolean> => {
  const { customerId, msisdn, at } = row;
  await run(
    tx,
    sql`select from conversation where customer_id = ${customerId} and app_id = ${row.appId} and msisdn = ${msisdn} for update`,
  );
  const queued = await run(
    tx,
    sql`insert into keyword_answer (customer_id, inbound_id, rule_id, app_id, msisdn, keyword, template_id, created_at, state)
        select ${customerId}, ${row.inboundId}, ${row.ruleId}, ${row.appId}, ${msisdn}, ${row.keyword}, ${row.templateId}, ${at},
          'waiting'
        where not exists (select from keyword_answer where customer_id = ${customerId} and msisdn = ${msisdn}
            and rule_id = ${row.ruleId} and created_at > ${at}::timestamptz - ${oncePer})
          and (select count(*) from keyword_answer where customer_id = ${customerId} and msisdn = ${msisdn}
            and created_at > ${at}::timestamptz - interval '1 day') < ${mostPerDay}
        on conflict do nothing`,
  );
  return queued === 1;
};

export interface WaitingAnswer {
  customerId: string;
  inboundId: string;
  appId: string;
  msisdn: string;
  templateId: string;
  createdAt: Date;
}

/** The oldest first, of all customers. */
export const listWaitingAnswers = (db: Db, limit: number): Promise<WaitingAnswer[]> =>
  many(
    db,
    sql<WaitingAnswer>`select customer_id as "customerId", inbound_id as "inboundId", app_id as "appId", msisdn,
        template_id as "templateId", created_at as "createdAt"
      from keyword_answer where state = 'waiting' order by created_at limit ${limit}`,
  );

export const endKeywordAnswer = (
  db: Db,
  of: Pick<WaitingAnswer, 'customerId' | 'inboundId'>,
  end: { messageId: string } | { refusal: string },
): Promise<number> =>
  run(
    db,
    'messageId' in end
      ? sql`update keyword_answer set state = 'sent', message_id = ${end.messageId}
          where customer_id = ${of.customerId} and inbound_id = ${of.inboundId} and state = 'waiting'`
      : sql`update keyword_answer set state = 'refused', refusal = ${end.refusal}
          where customer_id = ${of.customerId} and inbound_id = ${of.inboundId} and state = 'waiting'`,
  );

interface ShownAnswer {
  inboundId: string;
  messageId: string | null;
  keyword: string;
  refusal: string | null;
}

/** Of a page of a thread. */
export const listKeywordAnswers = (
  db: Db,
  of: {
    customerId: string;
    appId: string;
    msisdn: string;
    inboundIds: readonly string[];
    messageIds: readonly string[];
  },
): Promise<ShownAnswer[]> =>
  many(
    db,
    sql<ShownAnswer>`select inbound_id as "inboundId", message_id::text as "messageId", keyword, refusal
      from keyword_answer where customer_id = ${of.customerId} and msisdn = ${of.msisdn} and app_id = ${of.appId}
        and (inbound_id = any(${[...of.inboundIds]}::uuid[]) or message_id = any(${[...of.messageIds]}::bigint[]))`,
  );

export const deleteOldKeywordAnswers = (db: Db, customerId: string, before: Date, limit: number): Promise<number> =>
  run(
    db,
    sql`delete from keyword_answer where customer_id = ${customerId} and inbound_id in (
          select inbound_id from keyword_answer where customer_id = ${customerId} and created_at < ${before}
          order by created_at limit ${limit})`,
  );

export const eraseKeywordAnswers = (db: Db, customerId: string, msisdn: string): Promise<number> =>
  run(db, sql`delete from keyword_answer where customer_id = ${customerId} and msisdn = ${msisdn}`);
