import type { Charges } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { listLedgerNames } from '@pahatid/db/queries/ledger';
import type { ChargeSum } from '@pahatid/db/queries/ledger-sums';

/** Tasks of a span listed by name; the rest is summed. */
export const shownCharges = 100;
const dayMs = 86_400_000;

export const isRealDay = (day: string): boolean => {
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day) && day >= '2000' && day < '2100';
};

interface Asked {
  customerId: string;
  by: 'day' | 'application' | 'task';
  from: string;
  to: string;
}

const total = (rows: readonly ChargeSum[], field: 'charged' | 'segments'): number =>
  rows.reduce((sum, row) => sum + row[field], 0);

/** Every day of the span, those without a charge too; or applications and tasks with their names. */
export async function nameCharges(tx: Db, asked: Asked, rows: readonly ChargeSum[], limit: number): Promise<Charges> {
  const sums = { charged: total(rows, 'charged'), segments: total(rows, 'segments') };
  if (asked.by === 'day') {
    const byDay = new Map(rows.map((row) => [row.key, row]));
    const items = daysOf(asked).map((day) => ({
      key: day,
      name: null,
      charged: byDay.get(day)?.charged ?? 0,
      segments: byDay.get(day)?.segments ?? 0,
    }));
    return { items, ...sums, rest: null };
  }
  const shown = rows.slice(0, limit);
  const rest = rows.slice(limit);
  const ids = shown.flatMap(({ key }) => (key === null ? [] : [key]));
  const byTask = asked.by === 'task';
  const names = await listLedgerNames(tx, {
    customerId: asked.customerId,
    taskIds: byTask ? ids : [],
    appIds: byTask ? [] : ids,
    userIds: [],
  });
  return {
    items: shown.map((row) => ({ ...row, name: row.key === null ? null : (names.get(row.key) ?? null) })),
    ...sums,
    rest:
      rest.length === 0
        ? null
        : { count: rest.length, charged: total(rest, 'charged'), segments: total(rest, 'segments') },
  };
}

const daysOf = ({ from, to }: Asked): string[] => {
  const first = Date.parse(from);
  const count = (Date.parse(to) - first) / dayMs + 1;
  return Array.from({ length: count }, (_, n) => new Date(first + n * dayMs).toISOString().slice(0, 10));
};
