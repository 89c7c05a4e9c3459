/**
 * Dossiers of sender IDs, one for each carrier. A state changes by one UPDATE of the state before; every change has a line
 * of history, written with it.
 */
import type { Carrier, Dossier, DossierState } from '@pahatid/contract';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

export interface DossierRow {
  dossierId: string;
  customerId: string;
  operator: string;
  senderKey: string;
  senderId: string;
  carrier: Carrier;
  state: DossierState;
  changeTime: Date;
  /** Key of the queue's order, exact as PostgreSQL writes it. */
  changeKey: string;
  sentTime: Date | null;
  answer: string | null;
  answeredBy: string | null;
  answerTime: Date | null;
  answerBy: string | null;
  approvedUntil: string | null;
  paperCount: number;
  domainCount: number;
}

const columns = sql`d.dossier_id as "dossierId", d.customer_id as "customerId", c.customer_name as operator,
  d.sender_key as "senderKey", s.sender_id as "senderId", d.carrier, d.state, d.changed_at as "changeTime",
  d.changed_at::text as "changeKey", d.sent_at as "sentTime", d.answer, d.answered_by as "answeredBy",
  d.answered_at as "answerTime", to_char(d.answer_by, 'YYYY-MM-DD') as "answerBy",
  to_char(d.approved_until, 'YYYY-MM-DD') as "approvedUntil",
  (select count(*)::int from sender_paper p where p.dossier_id = d.dossier_id) as "paperCount",
  (select count(*)::int from sender_domain m where m.dossier_id = d.dossier_id) as "domainCount"`;
const source = sql`sender_dossier d join sender s on s.id = d.sender_key join customer c on c.customer_id = d.customer_id`;

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export const listSenderDossiers = (db: Db, senderKey: string): Promise<DossierRow[]> =>
  many<DossierRow>(db, sql`select ${columns} from ${source} where d.sender_key = ${senderKey} order by d.carrier`);

/** `customerId` null: of any, for staff. */
export const findDossier = (db: Db, customerId: string | null, dossierId: string): Promise<DossierRow | null> =>
  maybe<DossierRow>(
    db,
    sql`select ${columns} from ${source} where d.dossier_id = ${dossierId}
          and ${customerId === null ? sql`true` : sql`d.customer_id = ${customerId}`}`,
  );

/** Locks it, so that two changes of papers, domains or state follow each other. */
export const lockDossier = async (tx: Db, customerId: string | null, dossierId: string): Promise<DossierRow | null> => {
  await run(tx, sql`select from sender_dossier where dossier_id = ${dossierId} for update`);
  return findDossier(tx, customerId, dossierId);
};

interface QueueFilter extends PageOrder {
  /** Null: of any customer. */
  customerId: string | null;
  /** Undefined: what waits for staff, to be sent or for the carrier's answer. */
  state: DossierState | undefined;
  carrier: Carrier | undefined;
  search: string | undefined;
  limit: number;
}

export const listDossiers = (db: Db, filter: QueueFilter): Promise<DossierRow[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`d.changed_at`, 'timestamptz'],
      [sql`d.dossier_id`, 'uuid'],
    ],
    filter,
  );
  const { customerId, state, carrier, search, limit } = filter;
  return many<DossierRow>(
    db,
    sql`select ${columns} from ${source}
        where ${state === undefined ? sql`d.state in ('submitted', 'sent')` : sql`d.state = ${state}`}
          and ${customerId === null ? sql`true` : sql`d.customer_id = ${customerId}`}
          and ${carrier === undefined ? sql`true` : sql`d.carrier = ${carrier}`}
          and ${search ? sql`(s.sender_id ilike ${contains(search)} or c.customer_name ilike ${contains(search)})` : sql`true`}
          and ${past}
        order by ${orderBy} limit ${limit}`,
  );
};

/** Those that staff must check and send, counted up to `limit`. */
export const countSubmittedDossiers = async (db: Db, limit: number): Promise<number> => {
  const { count } = await one<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select from sender_dossier where state = 'submitted' limit ${limit}) found`,
  );
  return count;
};

/** False: there is one already, or the sender ID is not the customer's. */
export const openDossier = async (
  tx: Db,
  {
    dossierId,
    customerId,
    senderKey,
    carrier,
    now,
  }: { now: Date } & Pick<DossierRow, 'dossierId' | 'customerId' | 'senderKey' | 'carrier'>,
): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into sender_dossier (dossier_id, customer_id, app_id, sender_key, carrier, changed_at)
        select ${dossierId}, customer_id, app_id, id, ${carrier}, ${now} from sender
        where id = ${senderKey} and customer_id = ${customerId} on conflict do nothing`,
  )) === 1;

export interface DossierChange {
  from: readonly DossierState[];
  to: DossierState;
  now: Date;
  sentAt?: Date;
  answer?: { text: string; by: string; answerBy: string | null };
  approvedUntil?: string;
}

/** False: it was in another state. What carriers answered before stays until the next answer. */
export const moveDossier = async (tx: Db, dossierId: string, change: DossierChange): Promise<boolean> => {
  const { from, to, now, sentAt, answer, approvedUntil } = change;
  const sets = [sql`state = ${to}`, sql`changed_at = ${now}`];
  if (sentAt) sets.push(sql`sent_at = ${sentAt}`);
  if (answer)
    sets.push(
      sql`answer = ${answer.text}, answered_by = ${answer.by}, answered_at = ${now}, answer_by = ${answer.answerBy}::date`,
    );
  if (approvedUntil !== undefined)
    sets.push(sql`approved_until = ${approvedUntil}::date, answer = null, answered_by = null, answered_at = ${now},
      answer_by = null, reminded_of = null, reminded_days = null`);
  return (
    (await run(
      tx,
      sql`update sender_dossier set ${sql.join(sets, sql`, `)}
          where dossier_id = ${dossierId} and state = any(${[...from]}::text[])`,
    )) === 1
  );
};

type EventKind = Dossier['history'][number]['kind'];

export const addDossierEvent = (
  tx: Db,
  event: { eventId: string; dossierId: string; kind: EventKind; now: Date; userId: string | null; subject?: string },
): Promise<number> =>
  run(
    tx,
    sql`insert into sender_dossier_event (event_id, dossier_id, customer_id, kind, at, user_id, detail)
        select ${event.eventId}, dossier_id, customer_id, ${event.kind}, ${event.now}, ${event.userId},
          jsonb_strip_nulls(jsonb_build_object('subject', ${event.subject ?? null}::text))
        from sender_dossier where dossier_id = ${event.dossierId}`,
  );

export interface DossierEventRow {
  eventId: string;
  kind: EventKind;
  time: Date;
  /** Null: staff, the program, or a removed member. */
  by: string | null;
  subject: string | null;
}

/** Newest first. Staff are not named. */
export const listDossierEvents = (db: Db, dossierId: string, limit: number): Promise<DossierEventRow[]> =>
  many(
    db,
    sql<DossierEventRow>`select e.event_id as "eventId", e.kind, e.at as time, u.name as by, e.detail->>'subject' as subject
        from sender_dossier_event e left join app_user u on u.user_id = e.user_id and u.customer_id = e.customer_id
        where e.dossier_id = ${dossierId} order by e.event_id desc limit ${limit}`,
  );
