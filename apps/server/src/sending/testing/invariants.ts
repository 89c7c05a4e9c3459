/**
 * The five invariants, from the carriers' journal, the messages the test knows to be accepted, and the rows: no code of
 * the engine, and none of `pahatid verify`.
 *
 * I1 every accepted recipient has exactly one row (except for repeats of a failed one)
 * I2 when idle no row is in a state that is not final
 * I3 copies at the carriers: one, and more if the policy is to resend and the doubt is recorded
 * I4 what a row records as accepted, a carrier received, complete and with its text; what a carrier received, no row
 * records as never sent
 * I5 every total is a recount of the rows, at every level
 */
import type { JournalEntry } from '@pahatid/carrier-simulator';
import type { Pool, PoolClient } from 'pg';
import { type AuditedRow, recount } from './recount.ts';
import { onSnapshot } from './snapshot.ts';

export interface Known {
  /** Phones that were accepted, each once. */
  accepted?: Iterable<string>;
  policy?: 'hold' | 'resend';
  /** Not all has its outcome yet, or receipts were lost: I2 is left out. */
  isUnderWay?: boolean;
}

/** Of one phone: by the reference that joins parts, which parts with which texts came how often. */
interface Seen {
  copies: Map<number, number>;
  parts: number;
  texts: Map<number, string>;
}

/** Returns the violations, one line each; empty if all five hold. `journal`: every submit; phones of a test differ. */
export const findBroken = (pool: Pool, journal: Iterable<JournalEntry>, known: Known = {}): Promise<string[]> =>
  onSnapshot(pool, (tx) => findBrokenIn(tx, journal, known));

/** The same on a snapshot that the caller reads, too. */
export const findBrokenIn = async (
  tx: PoolClient,
  journal: Iterable<JournalEntry>,
  known: Known = {},
): Promise<string[]> => {
  const { rows } = await tx.query<AuditedRow>('select * from message order by message_id');
  const { rows: doubts } = await tx.query<{ message_id: string; resolution: string | null }>(
    'select message_id, resolution from in_doubt',
  );
  const resolutions = new Map(doubts.map((doubt) => [doubt.message_id, doubt.resolution]));
  const seen = readJournal(journal);
  const broken: string[] = [];
  const live = rows.filter((row) => !row.superseded);
  const phones = Map.groupBy(live, (row) => row.msisdn);
  for (const msisdn of known.accepted ?? phones.keys()) {
    const count = phones.get(msisdn)?.length ?? 0;
    if (count !== 1) broken.push(`I1 ${msisdn} has ${count} rows`);
  }
  for (const row of live) broken.push(...checkRow(row, seen.get(row.msisdn), resolutions, known));
  for (const msisdn of seen.keys()) if (!phones.has(msisdn)) broken.push(`I4 ${msisdn} is at a carrier and has no row`);
  return [...broken, ...(await recount(tx, rows))];
};

function checkRow(
  row: AuditedRow,
  seen: Seen | undefined,
  resolutions: ReadonlyMap<string, string | null>,
  known: Known,
): string[] {
  const name = `${row.msisdn} (${row.send_status}/${row.client_status})`;
  const broken: string[] = [];
  const isOpen = resolutions.has(row.message_id) && resolutions.get(row.message_id) === null;
  if (!known.isUnderWay && row.send_status === 0) broken.push(`I2 ${name} waits`);
  if (!known.isUnderWay && row.send_status === 3 && row.client_status < 2) broken.push(`I2 ${name} has no receipt`);
  if ((row.send_status === 1) !== isOpen) broken.push(`I2 ${name} is${isOpen ? '' : ' not'} on record as in doubt`);
  const copies = Math.max(0, ...(seen?.copies.values() ?? []));
  const mayResend = known.policy === 'resend' && resolutions.get(row.message_id) === 'resent';
  if (copies > 1 && !mayResend) broken.push(`I3 ${name} was sent ${copies} times`);
  if (row.send_status === 0 && copies > 0) broken.push(`I4 ${name} is at a carrier`);
  if (row.send_status === 3) broken.push(...checkWhole(row, seen, name));
  return broken;
}

function checkWhole(row: AuditedRow, seen: Seen | undefined, name: string): string[] {
  if (seen === undefined) return [`I4 ${name} was seen by no carrier`];
  const parts = Array.from({ length: seen.parts }, (_, index) => seen.texts.get(index + 1));
  // A failed part ends its message: the others may be missing.
  if (parts.includes(undefined)) return [3, 4, 5].includes(row.client_status) ? [] : [`I4 ${name} did not come whole`];
  return parts.join('') === row.content ? [] : [`I4 ${name} came with another text`];
}

/** Reads accepted submits only: a carrier does not have what it refused. */
function readJournal(journal: Iterable<JournalEntry>): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const { status, destination, part, parts, text } of journal) {
    if (status !== 0) continue;
    const of = seen.get(destination) ?? { copies: new Map(), parts, texts: new Map() };
    of.copies.set(part, (of.copies.get(part) ?? 0) + 1);
    of.texts.set(part, text);
    seen.set(destination, of);
  }
  return seen;
}
