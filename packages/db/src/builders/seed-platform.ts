/**
 * What every installation begins with, demo or not, and staff then edit: who holds which ranges, the default price,
 * prohibited terms, public holidays.
 */
import { defaultLexicon, listHolidays, prefixTable } from '@pahatid/domain';
import { uuidV7 } from '../ids.ts';
import { type Db, maybe, run, sql } from '../sql.ts';
import { buildDefaultPrice, buildPrefixes } from './suppliers.ts';

/** Years ahead whose holidays are known; movable ones of the Islamic calendar are proclaimed and added by staff. */
const yearsAhead = 3;

/** Does nothing where there are prefixes already: what staff removed stays removed. */
export const seedPlatform = async (db: Db, now: Date = new Date()): Promise<boolean> => {
  if (await maybe(db, sql`select 1 from prefix limit 1`)) return false;
  await buildDefaultPrice(db);
  await buildPrefixes(db, prefixTable);
  for (const { term, lang, category, level, exempt } of defaultLexicon)
    await run(
      db,
      sql`insert into prohibited_term (term_id, term, lang, category, level, exempt)
          values (${uuidV7()}, ${term}, ${lang}, ${category}, ${level}, ${[...(exempt ?? [])]}) on conflict do nothing`,
    );
  const thisYear = now.getUTCFullYear();
  for (let year = thisYear; year <= thisYear + yearsAhead; year++)
    for (const { day, name, nameZh } of listHolidays(year))
      await run(
        db,
        sql`insert into holiday (day, name, name_zh) values (${day}, ${name}, ${nameZh}) on conflict do nothing`,
      );
  return true;
};
