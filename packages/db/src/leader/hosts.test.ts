import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitHosts } from './hosts.ts';

test('an address of several servers is split as libpq writes it', () => {
  assert.deepEqual(splitHosts('postgres://me:p%2Cq@db1:5433,db2/pahatid?sslmode=disable'), [
    'postgres://me:p%2Cq@db1:5433/pahatid?sslmode=disable',
    'postgres://me:p%2Cq@db2/pahatid?sslmode=disable',
  ]);
  assert.deepEqual(splitHosts('postgresql://[::1]:5432,db2'), ['postgresql://[::1]:5432', 'postgresql://db2']);
  for (const one of ['postgres://db1/pahatid', 'postgres:///pahatid?host=/tmp,/run', 'not an address'])
    assert.deepEqual(splitHosts(one), [one]);
});
