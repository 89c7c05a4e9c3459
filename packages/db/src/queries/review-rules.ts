/** Rules for reviews that staff may change: prohibited terms and public holidays. */
import type { Holiday, LexiconEntry } from '@pahatid/domain';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

export const listProhibitedTerms = (db: Db): Promise<LexiconEntry[]> =>
  many<LexiconEntry>(db, sql`select term, lang, category, level, exempt from prohibited_term`);

export interface ProhibitedTermRow extends LexiconEntry {
  id: string;
}

export interface ProhibitedTermFilter {
  search?: string | undefined;
  category?: string | undefined;
  level?: string | undefined;
  after: readonly [term: string, id: string] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const termColumns = sql`term_id as id, term, lang, category, level, exempt`;

const termsLike = ({ search = '', category, level }: Omit<ProhibitedTermFilter, 'after' | 'limit'>) => sql`
  strpos(lower(term), lower(${search})) > 0 and (${category ?? null}::text is null or category = ${category ?? null})
  and (${level ?? null}::text is null or level = ${level ?? null})`;

export const pageProhibitedTerms = (db: Db, filter: ProhibitedTermFilter): Promise<ProhibitedTermRow[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`term`, 'text'],
      [sql`term_id`, 'uuid'],
    ],
    { isDescending: filter.isReversed === true, after: filter.after },
  );
  return many<ProhibitedTermRow>(
    db,
    sql`select ${termColumns} from prohibited_term where ${termsLike(filter)} and ${past}
        order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countProhibitedTerms = async (
  db: Db,
  filter: Omit<ProhibitedTermFilter, 'after' | 'limit'>,
): Promise<number> =>
  (await one(db, sql<{ n: number }>`select count(*)::int as n from prohibited_term where ${termsLike(filter)}`)).n;

export const lockProhibitedTerm = (tx: Db, by: { id: string } | LexiconEntry): Promise<ProhibitedTermRow | null> =>
  maybe<ProhibitedTermRow>(
    tx,
    sql`select ${termColumns} from prohibited_term
        where ${'id' in by ? sql`term_id = ${by.id}` : sql`lang = ${by.lang} and term = ${by.term}`} for update`,
  );

/** Adds it, or changes the effect of the same term in the same language. */
export const saveProhibitedTerm = (
  tx: Db,
  { id, term, lang, category, level, exempt = [] }: ProhibitedTermRow,
): Promise<ProhibitedTermRow> =>
  one<ProhibitedTermRow>(
    tx,
    sql`insert into prohibited_term (term_id, term, lang, category, level, exempt)
        values (${id}, ${term}, ${lang}, ${category}, ${level}, ${[...exempt]})
        on conflict (lang, term) do update
          set category = excluded.category, level = excluded.level, exempt = excluded.exempt
        returning ${termColumns}`,
  );

export const removeProhibitedTerm = (tx: Db, id: string): Promise<number> =>
  run(tx, sql`delete from prohibited_term where term_id = ${id}`);

const holidayColumns = sql`day::text as day, name, name_zh as "nameZh"`;

/** In the order of their days. */
export const listHolidays = (db: Db): Promise<Holiday[]> =>
  many<Holiday>(db, sql`select ${holidayColumns} from holiday order by day`);

/** From a day on, `2026-12-25`. */
export const pageHolidays = (db: Db, from: string | null, page: PageOrder & { limit: number }): Promise<Holiday[]> => {
  const { past, orderBy } = pageBy([[sql`holiday.day`, 'date']], page);
  return many<Holiday>(
    db,
    sql`select ${holidayColumns} from holiday
        where (${from}::date is null or holiday.day >= ${from}::date) and ${past} order by ${orderBy} limit ${page.limit}`,
  );
};

export const lockHoliday = (tx: Db, day: string): Promise<Holiday | null> =>
  maybe<Holiday>(
    tx,
    sql`select day::text as day, name, name_zh as "nameZh" from holiday where day = ${day} for update`,
  );

/** Adds it, or changes its names. */
export const saveHoliday = async (tx: Db, { day, name, nameZh }: Holiday): Promise<void> => {
  await run(
    tx,
    sql`insert into holiday (day, name, name_zh) values (${day}, ${name}, ${nameZh})
        on conflict (day) do update set name = excluded.name, name_zh = excluded.name_zh`,
  );
};

export const removeHoliday = (tx: Db, day: string): Promise<number> =>
  run(tx, sql`delete from holiday where day = ${day}`);
