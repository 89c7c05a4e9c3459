/**
 * Notifications between processes. They only wake listeners: a listener reads the rows again, and also polls from time
 * to time, so a lost notification costs seconds, never data. Sent after the commit it reports, because NOTIFY inside a
 * transaction makes all commits of the cluster wait for each other.
 */
import { type Db, run, sql } from '../sql.ts';

/** There is work for the jobs; the payload states which, `file`, `task` or `code`. */
export const JOBS_CHANNEL = 'pahatid_jobs';

/** Suppliers, routes or prices changed, or a supplier failed or came back; no payload. */
export const ROUTING_CHANNEL = 'pahatid_routing';

export const notify = async (db: Db, channel: string, payload: string): Promise<void> => {
  await run(db, sql`select pg_notify(${channel}, ${payload})`);
};
