/** What reviews go by and staff may change: prohibited words and public holidays. */
import type { LexiconEntry } from '@pahatid/domain';
import { type Db, many, sql } from '../sql.ts';

export const listProhibitedTerms = (db: Db): Promise<LexiconEntry[]> =>
  many<LexiconEntry>(db, sql`select term, lang, category, level, exempt from prohibited_term`);

/** Days as `2026-12-25`. */
export const listHolidays = async (db: Db): Promise<string[]> =>
  (await many<{ day: string }>(db, sql`select day::text as day from holiday`)).map(({ day }) => day);
