/**
 * A page of the log of API calls reads a page, whatever it is filtered by, among many calls of the customer and of others,
 * at the versions of PostgreSQL that are supported, with statistics of the planner and without.
 */
import assert from 'node:assert/strict';
import { uuidFloor, uuidV7, withTransaction } from '@pahatid/db';
import { type ApiCallFilter, listApiCalls, sweepApiCalls } from '@pahatid/db/queries/api-calls';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

const CALLS = 20_000;
/** Of a page of 20, with what is joined to it. */
const MOST_ROWS = 400;
const [busyKey, rareKey] = [uuidV7(), uuidV7()];

/** Nearly all are of one key and one route; every 200th failed, every 500th is of another key, route and object. */
const fill = (pool: pg.Pool, customerId: string) =>
  pool.query(
    `insert into api_call (customer_id, call_id, app_id, key_id, request_id, method, route, path, status, duration_ms, ip)
     select $1, (lpad(to_hex($2::bigint - n), 12, '0') || '7000' || '8' || lpad(to_hex(n), 15, '0'))::uuid, 'app',
       case when n % 500 = 0 then $4::uuid else $3::uuid end, 'request-' || n, 'POST',
       case when n % 500 = 0 then '/messages/:messageId' else '/messages' end,
       case when n % 500 = 0 then '/messages/' || n else '/messages' end,
       case when n % 200 = 0 then 400 else 202 end, 1, '192.0.2.1'
     from generate_series(1, $5::int) n`,
    [customerId, Date.now(), busyKey, rareKey, CALLS],
  );

await testPlans(
  { says: 'a page of API calls reads a page', name: 'api_call_plans' },
  { current: true, missing: false },
  async (pool, isAnalyzed) => {
    const customerId = uuidV7();
    await fill(pool, customerId);
    await fill(pool, uuidV7());
    await pool.query(`vacuum ${isAnalyzed ? '(analyze)' : ''} api_call`);
    const page = { keptFrom: new Date(Date.now() - 7 * 86_400_000), after: null, isDescending: true, limit: 21 };
    const filters: Record<string, [filter: Omit<ApiCallFilter, 'customerId'>, rows: number]> = {
      none: [{}, 21],
      'a key with many': [{ keyId: busyKey }, 21],
      'a key with few': [{ keyId: rareKey }, 21],
      errors: [{ statusClass: '4' }, 21],
      'errors there are none of': [{ statusClass: '5' }, 0],
      'an operation': [{ called: { route: '/messages/:messageId', path: null } }, 21],
      'an object': [{ called: { route: '/messages/:messageId', path: '/messages/1500' } }, 1],
      'a request': [{ requestId: 'request-7' }, 1],
    };
    const seen: string[] = [];
    await withTransaction(pool, async (tx) => {
      for (const [what, [filter, rows]] of Object.entries(filters)) {
        const explained = explaining(tx, (read) => {
          if (read > MOST_ROWS) seen.push(`${what}: ${read} rows read`);
        });
        for (const isDescending of [true, false]) {
          const listed = await listApiCalls(explained, { customerId, ...filter }, { ...page, isDescending });
          assert.equal(listed.length, rows, what);
        }
      }
      const explained = explaining(tx, (read, text) => {
        if (read > MOST_ROWS) seen.push(`sweep: ${read} rows read by ${text.trim().slice(0, 80)}`);
      });
      assert.equal(await sweepApiCalls(explained, Date.now(), 7 * 86_400_000, 50), 0);
      const next = { ...page, after: [uuidFloor(Date.now() - CALLS / 2)] };
      assert.equal((await listApiCalls(explained, { customerId, keyId: busyKey }, next)).length, 21);
    });
    assert.deepEqual(seen, []);
  },
);
