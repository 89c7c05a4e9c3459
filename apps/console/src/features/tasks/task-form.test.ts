import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { File } from '@pahatid/contract';
import {
  emptyTask,
  findTaskProblems,
  findTemplateObstacle,
  settleMapping,
  type TaskValues,
  toTaskBody,
} from './task-form.ts';

const file = (names: readonly string[], over: Partial<File> = {}): File => ({
  fileId: 'f',
  fileName: 'a.csv',
  size: 1,
  fileStatus: 'success',
  error: null,
  progress: 100,
  totalRows: 2,
  estimatedRows: null,
  remainingSeconds: null,
  isWaiting: false,
  validCount: 2,
  duplicateCount: 0,
  rejectedCount: 0,
  optedOutCount: 0,
  columns: names.map((name, index) => ({ index, name, first: '' })),
  sample: [],
  sheetNames: [],
  reading: { hasHeader: true, phoneColumn: 0 },
  createTime: '2026-01-01T00:00:00.000Z',
  ...over,
});
const nowMs = Date.parse('2026-11-20T00:00:00Z');
const whole: TaskValues = {
  ...emptyTask,
  taskName: 'A',
  appId: 'demoapp',
  smsType: 2,
  templateId: 't',
  fileId: 'f',
};

test('columns are suggested by name and order, and a manual choice is preserved', () => {
  const named = file(['mobile', 'city', 'name', '{1}']);
  assert.deepEqual(settleMapping([], named, 2), [3, 1]);
  assert.deepEqual(settleMapping([null, 2], named, 2), [3, 2]);
  assert.deepEqual(settleMapping([1], named, 3), [1, 2, 3]);
});

test('a choice that became the phone column, or left the file, is suggested again', () => {
  const narrow = file(['mobile', 'name'], { reading: { hasHeader: true, phoneColumn: 1 } });
  assert.deepEqual(settleMapping([1], narrow, 1), [0]);
  assert.deepEqual(settleMapping([7], narrow, 1), [0]);
  assert.deepEqual(settleMapping([], file(['mobile']), 1), [null]);
});

test('before the file is read, what was stored is kept', () => {
  assert.deepEqual(settleMapping([4, 2], undefined, 2), [4, 2]);
});

test('all that specification §5 requires is asked for', () => {
  const facts = { uploading: false, groupValues: [], file: undefined, mapping: [], variableCount: 0, nowMs };
  assert.deepEqual(findTaskProblems(emptyTask, facts), {
    appId: 'required',
    taskName: 'required',
    smsType: 'required',
    templateId: 'required',
    fileId: 'required',
  });
  assert.deepEqual(findTaskProblems(whole, { ...facts, file: file(['mobile']) }), {});
});

test('a schedule needs a time, and a time to come', () => {
  const facts = { uploading: false, groupValues: [], file: file(['mobile']), mapping: [], variableCount: 0, nowMs };
  assert.deepEqual(findTaskProblems({ ...whole, planFlag: 1 }, facts), { planTime: 'required' });
  const past = { ...whole, planFlag: 1 as const, planTime: '2026-11-20T00:00:00.000Z' };
  assert.deepEqual(findTaskProblems(past, facts), { planTime: 'past' });
  const latest = (latestStartTime: string, planTime: string | null = null) =>
    findTaskProblems({ ...whole, planFlag: planTime === null ? 0 : 1, planTime, latestStartTime }, facts);
  assert.deepEqual(latest('2026-11-20T00:00:00.000Z'), { latestStartTime: 'latestPast' });
  assert.deepEqual(latest('2026-11-20T01:00:00.000Z'), {});
  assert.deepEqual(latest('2026-11-21T00:00:00.000Z', '2026-11-21T00:00:00.000Z'), { latestStartTime: 'latestEarly' });
  assert.deepEqual(latest('2026-11-21T00:01:00.000Z', '2026-11-21T00:00:00.000Z'), {});
  assert.deepEqual(findTaskProblems({ ...past, planFlag: 0 }, facts), {});
});

test('a file that is being read, failed or has no recipients blocks the form', () => {
  const facts = { uploading: false, groupValues: [], mapping: [], variableCount: 0, nowMs };
  const of = (over: Partial<File>) => findTaskProblems(whole, { ...facts, file: file(['mobile'], over) }).fileId;
  assert.equal(of({ fileStatus: 'processing' }), 'processing');
  assert.equal(of({ fileStatus: 'fail' }), 'unusable');
  assert.equal(of({ validCount: 0 }), 'unusable');
  const uploading = { ...facts, uploading: true, file: file(['mobile']) };
  assert.equal(findTaskProblems(whole, uploading).fileId, 'uploading');
});

test('a variable without a column stops the form', () => {
  const facts = { uploading: false, groupValues: [], file: file(['mobile', 'name']), variableCount: 2, nowMs };
  assert.equal(findTaskProblems(whole, { ...facts, mapping: [1, null] }).mapping, 'unmapped');
  assert.equal(findTaskProblems(whole, { ...facts, mapping: [1, 1] }).mapping, undefined);
});

test('what is stored holds a whole mapping or none, and a time only with a schedule', () => {
  const body = toTaskBody(
    { ...whole, taskName: ' A ', planTime: '2026-12-01T00:00:00.000Z' },
    { mapping: [1, null], groupValues: [], senderId: 'SHOP' },
  );
  assert.equal(body.taskName, 'A');
  assert.equal(body.mapping, null);
  assert.equal(body.planTime, null);
  assert.equal(body.senderId, 'SHOP');
  assert.deepEqual(toTaskBody(whole, { mapping: [1, 2], groupValues: [], senderId: null }).mapping, {
    variables: [1, 2],
  });
});

test('groups replace a file, and each variable needs one of their values', () => {
  const toGroups: TaskValues = { ...whole, fileId: null, groupIds: ['g'] };
  const facts = { uploading: false, file: undefined, mapping: [null, null], variableCount: 2, nowMs };
  assert.deepEqual(findTaskProblems(toGroups, { ...facts, groupValues: ['name', 'city'] }), {});
  assert.deepEqual(findTaskProblems(toGroups, { ...facts, groupValues: ['name', ''] }), { groupIds: 'noValue' });
  const settled = { mapping: [null, null], groupValues: ['name', 'city'], senderId: null };
  const body = toTaskBody(toGroups, settled);
  assert.deepEqual([body.groupIds, body.mapping], [['g'], { variables: [], groupVariables: ['name', 'city'] }]);
  // With a file as well, a partial mapping would mean that its columns fill nothing.
  assert.equal(toTaskBody({ ...toGroups, fileId: 'f' }, settled).mapping, null);
});

test('a template does not fit while no version of it may be sent, or if the task has another type', () => {
  const obstacle = (servingVersion: number | null, smsType: 1 | 2 | 3 | null) =>
    findTemplateObstacle({ servingVersion, smsType: 2 }, smsType);
  assert.deepEqual(
    [obstacle(1, null), obstacle(1, 2), obstacle(1, 3), obstacle(null, 2), obstacle(null, 3)],
    [null, null, 'type', 'review', 'review'],
  );
});
