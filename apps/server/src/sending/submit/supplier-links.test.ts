import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaseWriter, uuidV7, withTransaction } from '@pahatid/db';
import { buildApplication, buildCustomer } from '@pahatid/db/builders';
import { ensureTestMode } from '@pahatid/db/queries/test-mode';
import { SendingEngine, systemClock } from '@pahatid/engine';
import { testDatabase } from '@pahatid/testkit';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import { pino } from 'pino';
import { makeSecrets } from '../../secrets/secrets.ts';
import { makeSendStore } from './send-store.ts';
import { SupplierLinks } from './supplier-links.ts';

const { pool } = await testDatabase();
const log = pino({ level: 'silent' });
/** Answers come together, however long each took. */
function gathered(count: number): Pool {
  const open = Promise.withResolvers<void>();
  let waiting = 0;
  const query = async (asked: QueryConfig): Promise<QueryResult> => {
    const answer = await pool.query(asked);
    waiting += 1;
    if (waiting === count) open.resolve();
    await open.promise;
    return answer;
  };
  return new Proxy(pool, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name, of)) });
}

const countServers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

test('a sender has one carrier of test mode, however often it looks at once, and none once it has stopped', async () => {
  const customerId = await buildCustomer(pool);
  const appId = await buildApplication(pool, { customerId });
  await withTransaction(pool, (tx) => ensureTestMode(tx, { customerId, appId, testAppId: 'test0123456789' }));
  const owner = uuidV7();
  const writer = await leaseWriter(pool, owner);
  const inbound = { sharedNumber: null, log };
  const engine = new SendingEngine(makeSendStore({ pool, owner, writer, leaseMs: 10_000, inbound }), systemClock);
  const secrets = makeSecrets(Buffer.alloc(32, 7));
  const make = (control: Pool) =>
    new SupplierLinks({ control, owner, secrets, log, engine, shareLeaseMs: 5_000, bindLeaseMs: 5_000 });
  const links = make(gathered(3));
  await Promise.all([links.reload(), links.reload(), links.reload()]);
  assert.equal(countServers(), 1);
  await links.stop(100);
  assert.equal(countServers(), 0);
  const ending = make(pool);
  const looking = ending.reload();
  await ending.stop(100);
  await looking;
  assert.equal(countServers(), 0);
});
