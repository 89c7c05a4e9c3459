/** The original carrier of each number range: staff's table, which decides the carrier of newly accepted messages. */
import type { PrefixItem } from '@pahatid/contract';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import {
  countPrefixes,
  findPrefix,
  insertPrefix,
  listPrefixes,
  type PrefixView,
  removePrefix,
  updatePrefix,
} from '@pahatid/db/queries/prefix-admin';
import { parseMsisdn } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';

const SORT = 'prefixes';
const TAKEN = { prefix_pkey: 'PREFIX_TAKEN' } as const;

const present = (row: PrefixView): PrefixItem => ({
  prefix: row.prefix,
  areaCode: row.areaCode,
  carrier: row.carrier,
  version: row.version,
  updateTime: row.updateTime.toISOString(),
});
const settingsOf = ({ prefix, areaCode, carrier }: PrefixView) => ({ prefix, areaCode, carrier });

const columns: readonly CsvColumn<PrefixItem>[] = [
  { head: { 'en-US': 'Prefix', 'zh-CN': '号段' }, value: (row) => row.prefix },
  { head: { 'en-US': 'Country', 'zh-CN': '国家' }, value: (row) => row.areaCode },
  { head: { 'en-US': 'Carrier', 'zh-CN': '运营商' }, value: (row) => row.carrier },
];

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};

/** Returns the digits of a number as people write it (0917…, +63 917…), or of a range as in the table. */
const searchedDigits = (typed: string | undefined): string | undefined => {
  if (typed === undefined || typed === '') return undefined;
  const number = parseMsisdn(typed);
  if (number.ok) return number.msisdn;
  const digits = typed.replace(/[^0-9]/g, '');
  // Text matches nothing, rather than everything.
  if (digits === '') return 'none';
  if (/^0[1-9]/.test(digits)) return `63${digits.slice(1)}`;
  return /^[89]\d{2}$/.test(digits) ? `63${digits}` : digits;
};

export function registerPrefixes(app: FastifyInstance, deps: ApiDeps): void {
  /** Accepting processes read the table again immediately; one that misses the notification does so within seconds. */
  const notifyListeners = async (): Promise<void> => {
    await notify(deps.pools.control, ROUTING_CHANNEL, '').catch((err: unknown) =>
      deps.log.warn({ err }, 'notification of changed prefixes failed, routing reloads later'),
    );
  };

  serveList(app, 'GET /prefixes', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, 'prefix');
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const filter = {
          digits: searchedDigits(query.search),
          carrier: query.carrier,
          after: decodeCursor(cursor, name, ['text']),
          isReversed,
          limit: limit + 1,
        };
        const { rows, nextCursor } = toPage(await listPrefixes(tx, filter), limit, name, (row) => [row.prefix]);
        return { items: rows.map(present), nextCursor, total: await countPrefixes(tx, filter) };
      });
    return { fileName: 'prefixes', columns, readPage };
  });

  serve(app, 'GET /prefixes/:prefix', ({ params, inScope }) =>
    inScope(async (tx) => present(found(await findPrefix(tx, params.prefix)))),
  );

  serve(app, 'POST /prefixes', async ({ body, inScope, audit }) => {
    const added = await onConflict(TAKEN, () =>
      inScope(async (tx) => {
        await insertPrefix(tx, body);
        await audit(tx, { action: 'add', subjectType: 'prefix', subjectId: body.prefix, after: body });
        return found(await findPrefix(tx, body.prefix));
      }),
    );
    await notifyListeners();
    return present(added);
  });

  serve(app, 'PATCH /prefixes/:prefix', async ({ params, body, inScope, audit }) => {
    const changed = await inScope(async (tx) => {
      const before = found(await findPrefix(tx, params.prefix));
      const change = { carrier: body.carrier, areaCode: body.areaCode ?? before.areaCode };
      if (!(await updatePrefix(tx, params.prefix, body.version, change))) throw new ProblemError('CONFLICT');
      const after = found(await findPrefix(tx, params.prefix));
      const entry = { action: 'edit', subjectType: 'prefix', subjectId: params.prefix };
      await audit(tx, { ...entry, before: settingsOf(before), after: settingsOf(after) });
      return after;
    });
    await notifyListeners();
    return present(changed);
  });

  serve(app, 'DELETE /prefixes/:prefix', async ({ params, inScope, audit }) => {
    await inScope(async (tx) => {
      const before = found(await findPrefix(tx, params.prefix));
      if (!(await removePrefix(tx, params.prefix))) throw new ProblemError('NOT_FOUND');
      const entry = { action: 'delete', subjectType: 'prefix', subjectId: params.prefix };
      await audit(tx, { ...entry, before: settingsOf(before) });
    });
    await notifyListeners();
    return undefined;
  });
}
