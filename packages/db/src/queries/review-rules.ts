/** What reviews go by and staff may change: prohibited words and public holidays. */
import type { Holiday, LexiconEntry } from '@pahatid/domain';
import { type Db, many, maybe, run, sql } from '../sql.ts';

export const listProhibitedTerms = (db: Db): Promise<LexiconEntry[]> =>
  many<LexiconEntry>(db, sql`select term, lang, category, level, exempt from prohibited_term`);

/** In the order of their days; `from`: `2026-12-25`. */
export const listHolidays = (db: Db, from: string | null = null): Promise<Holiday[]> =>
  many<Holiday>(
    db,
    sql`select day::text as day, name, name_zh as "nameZh" from holiday
        where ${from}::date is null or day >= ${from}::date order by day`,
  );

export const lockHoliday = (tx: Db, day: string): Promise<Holiday | null> =>
  maybe<Holiday>(
    tx,
    sql`select day::text as day, name, name_zh as "nameZh" from holiday where day = ${day} for update`,
  );

/** Adds it, or gives it other names. */
export const saveHoliday = async (tx: Db, { day, name, nameZh }: Holiday): Promise<void> => {
  await run(
    tx,
    sql`insert into holiday (day, name, name_zh) values (${day}, ${name}, ${nameZh})
        on conflict (day) do update set name = excluded.name, name_zh = excluded.name_zh`,
  );
};

export const removeHoliday = (tx: Db, day: string): Promise<number> =>
  run(tx, sql`delete from holiday where day = ${day}`);
