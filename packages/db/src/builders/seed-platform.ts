/**
 * Initial data of every installation, demo or not, which staff then edit: holders of number ranges, the default price,
 * prohibited terms, public holidays.
 */
import { type LexiconEntry, lexiconEditions, listHolidays, prefixTable } from '@pahatid/domain';
import { uuidV7 } from '../ids.ts';
import { type Db, maybe, run, sql } from '../sql.ts';
import { buildDefaultPrice, buildPrefixes } from './suppliers.ts';

/**
 * Number of years ahead with known holidays; movable ones of the Islamic calendar are proclaimed and added by staff.
 */
const yearsAhead = 3;

/**
 * Seeds a new database, and adds editions of the default terms that are newer than the database. What staff changed or
 * removed stays so. Returns whether anything was added.
 */
export const seedPlatform = async (db: Db, now: Date = new Date()): Promise<boolean> => {
  const isNew = (await maybe(db, sql`select 1 from prefix limit 1`)) === null;
  if (isNew) {
    await buildDefaultPrice(db);
    await buildPrefixes(db, prefixTable);
    await seedHolidays(db, now);
  }
  const hasNewTerms = await seedLexicon(db);
  return isNew || hasNewTerms;
};

const seedHolidays = async (db: Db, now: Date): Promise<void> => {
  const thisYear = now.getUTCFullYear();
  for (let year = thisYear; year <= thisYear + yearsAhead; year++)
    for (const { day, name, nameZh } of listHolidays(year))
      await run(
        db,
        sql`insert into holiday (day, name, name_zh) values (${day}, ${name}, ${nameZh}) on conflict do nothing`,
      );
};

const seedLexicon = async (db: Db): Promise<boolean> => {
  let hasNewTerms = false;
  for (const [index, entries] of lexiconEditions.entries()) {
    // If two processes start at the same time, the second waits here and then finds the edition added.
    const isMine = await maybe(
      db,
      sql`insert into lexicon_edition (edition) values (${index + 1}) on conflict do nothing returning edition`,
    );
    if (isMine === null) continue;
    await addTerms(db, entries);
    hasNewTerms = true;
  }
  return hasNewTerms;
};

/** Adds the terms missing from the table for that language; rows edited by staff are preserved. */
const addTerms = async (db: Db, entries: readonly LexiconEntry[]): Promise<void> => {
  const rows = entries.map((entry) => ({ id: uuidV7(), exempt: [], ...entry }));
  await run(
    db,
    sql`insert into prohibited_term (term_id, term, lang, category, level, exempt)
        select id, term, lang, category, level, array(select jsonb_array_elements_text(exempt))
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as entry (id uuid, term text, lang text, category text, level text, exempt jsonb)
        on conflict (lang, term) do nothing`,
  );
};
