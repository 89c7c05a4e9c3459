/** Texts that a customer's team inserts into its replies to phones. */
import { type Db, many, maybe, run, sql } from '../sql.ts';

export interface SavedReplyRow {
  savedReplyId: string;
  name: string;
  content: string;
}

const columns = sql`saved_reply_id as "savedReplyId", name, content`;

/** How many there may be is decided one at a time. */
export const lockSavedReplies = (tx: Db, customerId: string): Promise<number> =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`saved reply ${customerId}`}, 0))`);

export const listSavedReplies = (db: Db, customerId: string): Promise<SavedReplyRow[]> =>
  many(
    db,
    sql<SavedReplyRow>`select ${columns} from saved_reply where customer_id = ${customerId} order by lower(name)`,
  );

export const findSavedReply = (db: Db, customerId: string, savedReplyId: string): Promise<SavedReplyRow | null> =>
  maybe(
    db,
    sql<SavedReplyRow>`select ${columns} from saved_reply
      where customer_id = ${customerId} and saved_reply_id = ${savedReplyId} for update`,
  );

export const addSavedReply = (tx: Db, customerId: string, row: SavedReplyRow): Promise<number> =>
  run(
    tx,
    sql`insert into saved_reply (customer_id, saved_reply_id, name, content)
        values (${customerId}, ${row.savedReplyId}, ${row.name}, ${row.content})`,
  );

export const changeSavedReply = (tx: Db, customerId: string, row: SavedReplyRow): Promise<number> =>
  run(
    tx,
    sql`update saved_reply set name = ${row.name}, content = ${row.content}
        where customer_id = ${customerId} and saved_reply_id = ${row.savedReplyId}`,
  );

export const deleteSavedReply = (tx: Db, customerId: string, savedReplyId: string): Promise<number> =>
  run(tx, sql`delete from saved_reply where customer_id = ${customerId} and saved_reply_id = ${savedReplyId}`);
