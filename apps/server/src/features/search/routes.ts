import { type Found, findKeyBeginning } from '@pahatid/contract';
import { getCustomerId, messageIdMs } from '@pahatid/db';
import { findRecord, listRecords, type RecordRow } from '@pahatid/db/queries/records';
import {
  type SearchFilter,
  searchApplications,
  searchCustomers,
  searchGroups,
  searchKeys,
  searchSenders,
  searchShortLinks,
  searchTasks,
  searchTemplates,
} from '@pahatid/db/queries/search';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { ApiDeps } from '../../http/deps.ts';
import { type PhoneFilter, readPhoneFilter } from '../../http/phone-search.ts';
import { phoneFor } from '../../http/phones.ts';
import { serve } from '../../http/serve.ts';

/** Of each kind: items beyond a short list are found by the lists themselves. */
const shownOfEach = 4;
/** With this many digits the index of numbers is used; with fewer, all messages would have to be read. */
const leastDigits = 9;
/** Longer than any customer may retain its records, so that all stored ones are found. */
const lookBackMs = 400 * 86_400_000;
const isNumberLike = /^[+(]?[\d\s().-]{7,30}$/;
const isMessageId = /^\d{14,18}$/;
const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function registerSearch(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /search', async (call) => {
    const { user, scope, inScope, inDataScope } = call;
    const { q } = call.query;
    const customerId = getCustomerId(scope);
    const sought: SearchFilter = { customerId, text: q, id: isUuid.test(q) ? q : null, limit: shownOfEach };
    const named = await inScope((tx) => findNamed(tx, sought, deps.now()));
    const looksForRecords = isNumberLike.test(q);
    const phones = looksForRecords ? await readPhoneFilter(app.api, call, q) : {};
    const records = looksForRecords
      ? await inDataScope((tx) => findRecords(tx, phones, customerId, q, deps.now().getTime()))
      : [];
    const withOperator = (name: string) => (customerId === null ? { operator: name } : {});
    const shown = records.map(
      (row): Found => ({
        kind: 'record',
        id: row.messageId,
        title: phoneFor(user, row.msisdn),
        clientStatus: row.clientStatus as Extract<Found, { kind: 'record' }>['clientStatus'],
        clientSid: row.clientSid,
        time: new Date(messageIdMs(row.messageId)).toISOString(),
        ...withOperator(row.customerName),
      }),
    );
    return {
      items: [
        ...shown,
        ...named.map(({ operator, ...item }) => ({ ...item, ...(operator !== undefined && withOperator(operator)) })),
      ],
    };
  });
}

type Named = Exclude<Found, { kind: 'record' }> & { operator?: string | undefined };

/** Sequentially: they share a connection. */
async function findNamed(tx: PoolClient, sought: SearchFilter, now: Date): Promise<Named[]> {
  const tasks = await searchTasks(tx, sought);
  const templates = await searchTemplates(tx, sought);
  const applications = await searchApplications(tx, sought);
  const senders = await searchSenders(tx, sought);
  const groups = await searchGroups(tx, sought);
  const links = await searchShortLinks(tx, sought, now);
  const beginning = findKeyBeginning(sought.text);
  const keys = beginning === null ? [] : await searchKeys(tx, sought, beginning);
  const customers = sought.customerId === null ? await searchCustomers(tx, sought) : [];
  return [
    ...keys.map((row): Named => ({ kind: 'key', ...row })),
    ...customers.map((row): Named => ({ kind: 'customer', ...row })),
    ...tasks.map((row): Named => ({ kind: 'task', ...row })),
    ...templates.map((row): Named => ({ kind: 'template', ...row })),
    ...applications.map((row): Named => ({ kind: 'application', ...row })),
    ...senders.map((row): Named => ({ kind: 'sender', ...row })),
    ...groups.map((row): Named => ({ kind: 'group', ...row })),
    ...links.map((row): Named => ({ kind: 'shortLink', ...row })),
  ];
}

/** Finds messages by their own id or by a number; a user that sees numbers masked must enter the complete number. */
async function findRecords(
  tx: PoolClient,
  { msisdnPrefix }: PhoneFilter,
  customerId: string | null,
  typed: string,
  nowMs: number,
): Promise<RecordRow[]> {
  const readers = customerId === null ? null : [customerId];
  const byId = isMessageId.test(typed) ? await findRecord(tx, readers, typed) : null;
  const byNumber =
    msisdnPrefix === undefined || msisdnPrefix.length < leastDigits
      ? []
      : (
          await listRecords(
            tx,
            readers,
            { msisdnPrefix },
            { fromMs: nowMs - lookBackMs, toMs: nowMs + 86_400_000, before: null, limit: shownOfEach },
          )
        ).rows;
  return byId === null ? byNumber : [byId, ...byNumber];
}
