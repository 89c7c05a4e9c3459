import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIdleCollector } from './idle-collector.ts';

const mib = 1024 ** 2;

test('collects once after each busy time, and never during it', () => {
  let busy = 0.9;
  let heap = 300 * mib;
  let collections = 0;
  const step = makeIdleCollector({
    utilization: () => busy,
    heapBytes: () => heap,
    collect: () => {
      collections += 1;
      heap = 80 * mib;
    },
  });
  assert.equal(step(), false);
  busy = 0.01;
  assert.equal(step(), true);
  assert.equal(step(), false, 'nothing has grown since');
  heap += 10 * mib;
  assert.equal(step(), false, 'too little has grown');
  heap += 10 * mib;
  assert.equal(step(), true);
  assert.equal(collections, 2);
});
