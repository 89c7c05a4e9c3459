import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../sending/testing/make-scene.ts';
import { findDifferences } from './find-differences.ts';

const sinceMs = Math.floor(Date.now() / 60_000) * 60_000 - 400 * 86_400_000;

test('agrees after a clean send', async (t) => {
  const scene = await makeScene(t);
  await scene.accept(scene.recipients(300));
  await scene.startSender();
  await scene.untilStates({ '3/2': 300 });
  const findings = await findDifferences(scene.pool, { customerId: null, sinceMs, keep: 20 });
  assert.deepEqual(findings.differences, []);
  console.log(findings.looked);
});
