/**
 * Messages as records, newest first. IDs contain the time, so a range of time is a range of the primary key, and a page
 * begins where the last one ended, regardless of new messages. A filter that no index serves uses a backward scan
 * through the minutes that may contain a match (record-scan.ts), bounded for each page.
 */
import { isTestCustomer } from '@pahatid/domain';
import { messagesOf } from '../by-customer.ts';
import { idBounds, messageIdFloor, messageIdMs } from '../ids.ts';
import { type Db, type Fragment, many, maybe, sql } from '../sql.ts';
import { type ArchiveLook, archiveRound } from './archived-records.ts';
import { nameLentTemplates } from './lent-names.ts';
import { archivedWith, findArchiveTop } from './message-archive.ts';
import { asksForExtra, extraRound } from './record-extras.ts';
import { isIndexedPrefix, type RecordFilter, recordSendStatus, rowConditions } from './record-filter.ts';
import { type IdRange, type RecordKey, type Round, readByNumber, readNewest } from './record-keys.ts';
import { type ScanLimits, scanLimits, scanRound } from './record-scan.ts';
import { findTaskIds, taskRound } from './record-tasks.ts';
import { shownContent } from './shown-messages.ts';

export type { RecordFilter };

export interface RecordRow {
  customerId: string;
  messageId: string;
  msisdn: string;
  areaCode: string;
  clientSid: string;
  sendStatus: number;
  clientStatus: number;
  dealResult: string | null;
  carrierCode: string | null;
  taskId: string | null;
  taskName: string | null;
  /** Its own if software sent it with one, or the current one of its task. */
  templateId: string | null;
  templateName: string | null;
  appId: string;
  smsType: 1 | 2 | 3;
  content: string;
  submittedAt: Date | null;
  answeredAt: Date | null;
  reportAt: Date | null;
  pkgTotal: number;
  carrier: string | null;
  rangeHolder: string | null;
  chargeType: 'SenderPays' | 'ReceiverPays';
  price: number;
  routeId: string;
  supplierAccount: string | null;
  customerName: string;
  /** Time since which it is in doubt; null if it is not. */
  doubtSince: Date | null;
}

export interface RecordRange {
  /** Unix milliseconds of acceptance: from, and before. */
  fromMs: number;
  toMs: number;
  /** IDs below this one: the end of the previous page. */
  before: string | null;
  limit: number;
}

export interface RecordPage {
  rows: RecordRow[];
  /** The id to go on below; null: nothing follows. */
  next: string | null;
  /** Set if the page is not full but more rows may follow: messages accepted before this instant were not searched. */
  searchedTo: Date | null;
}

const nothing: RecordPage = { rows: [], next: null, searchedTo: null };

/**
 * Returns one page of some customers' records, or of all (`readers` null: staff). A short page may still have a next
 * one: it reads a bounded number of rows, for all customers together, and reports how far back it came.
 */
export const listRecords = async (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  range: RecordRange,
  limits: ScanLimits = scanLimits,
): Promise<RecordPage> => {
  const ids = idRange(filter, range);
  if (isEmpty(ids) || /\D/.test(filter.msisdnPrefix ?? '')) return nothing;
  const look = await chooseLook(db, await narrowReaders(db, readers, filter), filter, range.limit + 1, limits);
  if (look === null) return nothing;
  const keys: RecordKey[] = [];
  let floor: bigint | null = ids.high;
  const startedAt = performance.now();
  const mayGoOn = (round: number): boolean =>
    round === 0 || (round < limits.rounds && performance.now() - startedAt < limits.budgetMs);
  for (let round = 0; mayGoOn(round) && floor !== null && keys.length <= range.limit; round++) {
    const found: Round = await look({ low: ids.low, high: floor });
    keys.push(...found.keys);
    floor = found.floor !== null && found.floor <= ids.low ? null : found.floor;
  }
  const page = keys.slice(0, range.limit);
  const rows = await readRows(db, page);
  if (keys.length > range.limit) return { rows, next: page.at(-1)?.messageId ?? null, searchedTo: null };
  return floor === null
    ? { rows, next: null, searchedTo: null }
    : { rows, next: String(floor), searchedTo: new Date(messageIdMs(floor)) };
};

type Look = (ids: IdRange) => Promise<Round>;

/** Chooses the lookup method; returns null if there are no rows. */
const chooseLook = async (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  limit: number,
  limits: ScanLimits,
): Promise<Look | null> => {
  if (asksForExtra(filter)) return (ids) => extraRound(db, readers, filter, ids, limit);
  let taskIds: readonly string[] = [];
  if (filter.taskId !== undefined || filter.templateId !== undefined) {
    const owner = readers?.[0];
    if (owner === undefined) return null;
    taskIds = await findTaskIds(db, owner, filter);
  }
  const rows = chooseRowLook(db, readers, filter, taskIds, limit, limits);
  const archived = { readers, filter, taskIds };
  return (ids) => mergedRound(db, rows, archived, ids, limit);
};

const chooseRowLook = (
  db: Db,
  readers: readonly string[] | null,
  filter: RecordFilter,
  taskIds: readonly string[],
  limit: number,
  limits: ScanLimits,
): Look => {
  const conditions = rowConditions(filter);
  const owner = readers?.[0];
  if (owner !== undefined && (filter.taskId !== undefined || filter.templateId !== undefined))
    return (ids) => taskRound(db, owner, filter, taskIds, ids, limit);
  const prefix = filter.msisdnPrefix ?? '';
  if (isIndexedPrefix(filter))
    return async (ids) => ({ keys: await readByNumber(db, readers, prefix, conditions, ids, limit), floor: null });
  if (
    filter.messageId !== undefined ||
    filter.messageIds !== undefined ||
    (conditions.length === 0 && readers?.length === 1)
  )
    return async (ids) => ({ keys: await readNewest(db, readers, conditions, ids, limit), floor: null });
  return (ids) => scanRound(db, readers, filter, conditions, ids, limit, limits);
};

/**
 * Rows and blocks in one order. Rows are read first: a message that is archived in between is then found twice, never
 * missed. Blocks are read as far back as the rows were.
 */
const mergedRound = async (db: Db, rows: Look, look: ArchiveLook, ids: IdRange, limit: number): Promise<Round> => {
  const found = await rows(ids);
  const full = found.keys.length < limit ? null : BigInt(found.keys[limit - 1]!.messageId);
  const reached = full ?? found.floor ?? ids.low;
  const low = reached > ids.low ? reached : ids.low;
  const top = await findArchiveTop(db, look.readers);
  const high = top !== null && top < ids.high ? top + 1n : ids.high;
  if (top === null || low >= high) return found;
  const archived = await archiveRound(db, look, { low, high }, limit);
  const floor = archived.floor ?? found.floor;
  const keys = new Map([...found.keys, ...archived.keys].map((key) => [key.messageId, key]));
  const inOrder = [...keys.values()]
    .filter(({ messageId }) => floor === null || BigInt(messageId) >= floor)
    .sort((a, b) => (BigInt(a.messageId) > BigInt(b.messageId) ? -1 : 1));
  return { keys: inOrder.slice(0, limit), floor };
};

const isEmpty = ({ low, high }: IdRange): boolean => low >= high;

const idRange = (filter: RecordFilter, range: RecordRange): IdRange => {
  let low = messageIdFloor(range.fromMs);
  let high = messageIdFloor(range.toMs);
  const asked = [filter.messageId ?? [], filter.messageIds ?? []].flat().map(BigInt);
  if (asked.length > 0) {
    const [first = 0n, last = 0n] = idBounds(asked).map(BigInt);
    low = first > low ? first : low;
    high = last + 1n < high ? last + 1n : high;
  }
  if (range.before !== null && BigInt(range.before) < high) high = BigInt(range.before);
  return { low, high };
};

/** Tasks, templates and applications are one customer's: only that one's records are looked at. */
const narrowReaders = async (
  db: Db,
  readers: readonly string[] | null,
  { customerId, taskId, templateId, appId }: RecordFilter,
): Promise<readonly string[] | null> => {
  const among = (ids: readonly string[]) => (readers === null ? ids : ids.filter((id) => readers.includes(id)));
  let left = customerId === undefined ? readers : among([customerId]);
  const owners = [
    taskId === undefined ? null : sql<Owner>`select customer_id as "customerId" from task where task_id = ${taskId}`,
    // Test mode sends with templates of the customer that it is of.
    templateId === undefined || left?.every(isTestCustomer)
      ? null
      : sql<Owner>`select customer_id as "customerId" from template where template_id = ${templateId}`,
    appId === undefined
      ? null
      : sql<Owner>`select customer_id as "customerId" from application where app_id = ${appId}`,
  ];
  for (const query of owners) {
    if (query === null) continue;
    const owner = (await maybe(db, query))?.customerId;
    left = owner !== undefined && (left === null || left.includes(owner)) ? [owner] : [];
  }
  return left;
};

interface Owner {
  customerId: string;
}
const recordColumns = sql`m.customer_id as "customerId", m.message_id::text as "messageId", m.msisdn,
  m.area_code as "areaCode", m.client_sid as "clientSid", m.client_status as "clientStatus",
  m.deal_result as "dealResult", m.carrier_code as "carrierCode", m.task_id as "taskId", t.task_name as "taskName",
  coalesce(m.template_id, t.template_id) as "templateId", tp.template_name as "templateName", m.app_id as "appId", m.sms_type as "smsType",
  ${shownContent} as content, m.submitted_at as "submittedAt", m.answered_at as "answeredAt", m.report_at as "reportAt",
  m.pkg_total as "pkgTotal", m.carrier, m.range_holder as "rangeHolder", m.charge_type as "chargeType", m.price,
  m.route_id as "routeId", sp.supplier_account as "supplierAccount", c.customer_name as "customerName",
  d.since as "doubtSince", ${recordSendStatus} as "sendStatus"`;

const recordJoins = sql`join customer c on c.customer_id = m.customer_id
  left join task t on t.task_id = m.task_id
  left join template tp on tp.template_id = coalesce(m.template_id, t.template_id)
  left join supplier sp on sp.supplier_id = m.supplier_id
  left join in_doubt d on d.customer_id = m.customer_id and d.message_id = m.message_id and d.resolved_at is null`;

const readRows = async (db: Db, keys: readonly RecordKey[]): Promise<RecordRow[]> => {
  if (keys.length === 0) return [];
  const [low, high] = idBounds(keys.map((key) => BigInt(key.messageId)));
  const range = sql`message.message_id between ${low}::bigint and ${high}::bigint`;
  const rows = await readRecords(
    db,
    sql`${toTable(keys)} as i(customer_id, message_id) ${await messagesOf(db, keys, range)}`,
  );
  if (rows.length === keys.length) return nameLentTemplates(db, rows);
  const found = new Set(rows.map((row) => row.messageId));
  const missing = keys.filter((key) => !found.has(key.messageId));
  const ids = sql`${missing.map((key) => key.messageId)}::bigint[]`;
  const archived = await readRecords(db, sql`(${archivedWith(toTable(missing), ids)}) m`);
  const inOrder = [...rows, ...archived].sort((a, b) => (BigInt(a.messageId) > BigInt(b.messageId) ? -1 : 1));
  return nameLentTemplates(db, inOrder);
};

const toTable = (keys: readonly RecordKey[]): Fragment =>
  sql`unnest(${keys.map((key) => key.customerId)}::uuid[], ${keys.map((key) => key.messageId)}::bigint[])`;

const readRecords = (db: Db, from: Fragment): Promise<RecordRow[]> =>
  many(db, sql<RecordRow>`select ${recordColumns} from ${from} ${recordJoins} order by m.message_id desc`);

/** One message of one of these customers; null: of any. */
export const findRecord = async (
  db: Db,
  readers: readonly string[] | null,
  messageId: string,
): Promise<RecordRow | null> => {
  const id = BigInt(messageId);
  const ids = { low: id, high: id + 1n };
  const [row] = await readNewest(db, readers, [], ids, 1);
  const [key] = row === undefined ? (await archiveRound(db, { readers, filter: {}, taskIds: [] }, ids, 1)).keys : [row];
  return key === undefined ? null : ((await readRows(db, [key]))[0] ?? null);
};
