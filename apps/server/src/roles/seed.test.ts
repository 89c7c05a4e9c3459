import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { seedPlatform } from '@pahatid/db/builders';
import { lexiconEditions } from '@pahatid/domain';
import { testDatabase } from '@pahatid/testkit';

const [first = [], second = []] = lexiconEditions;

test('an installation of the first edition gets the new terms once, and keeps what staff edited and removed', async () => {
  const { pool, close } = await testDatabase();
  await withTransaction(pool, (tx) => seedPlatform(tx));
  // As an installation is that was seeded before there was a second edition.
  await run(pool, sql`delete from lexicon_edition where edition > 1`);
  const names = second.map(({ lang, term }) => `${lang}/${term}`);
  await run(pool, sql`delete from prohibited_term where lang || '/' || term = any(${names})`);
  const [edited, removed] = [first[0]!, first[1]!];
  await run(pool, sql`update prohibited_term set level = 'flag' where lang = ${edited.lang} and term = ${edited.term}`);
  await run(pool, sql`delete from prohibited_term where lang = ${removed.lang} and term = ${removed.term}`);
  // A term that staff added before the edition that has it.
  await run(
    pool,
    sql`insert into prohibited_term (term_id, term, lang, category, level)
        values (${uuidV7()}, 'pagsusugal', 'fil', 'financial', 'flag')`,
  );

  const added = await Promise.all([1, 2].map(() => withTransaction(pool, (tx) => seedPlatform(tx))));
  assert.deepEqual(added.toSorted(), [false, true]);
  const levels = new Map(
    (
      await many(
        pool,
        sql<{ name: string; level: string }>`select lang || '/' || term as name, level from prohibited_term`,
      )
    ).map(({ name, level }) => [name, level]),
  );
  assert.equal(levels.size, first.length - 1 + second.length);
  assert.equal(levels.get('zh/信贷'), 'block');
  assert.equal(levels.get('fil/pagsusugal'), 'flag');
  assert.equal(levels.get(`${edited.lang}/${edited.term}`), 'flag');
  assert.equal(levels.has(`${removed.lang}/${removed.term}`), false);

  // What staff remove of the second edition stays removed as well.
  await run(pool, sql`delete from prohibited_term where term = '信贷'`);
  assert.equal(await withTransaction(pool, (tx) => seedPlatform(tx)), false);
  const { n } = await one(pool, sql<{ n: number }>`select count(*)::int as n from prohibited_term where term = '信贷'`);
  assert.equal(n, 0);
  await close();
});
