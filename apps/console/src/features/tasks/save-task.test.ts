import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTaskSaver, randomKey, type TaskStore } from './save-task.ts';

class Lost extends Error {}
class Gone extends Error {}

/** A server that stores responses by key, as ours does, and a connection that may lose them. */
function makeServer() {
  const tasks = new Map<string, string>();
  const stored = new Map<string, { body: string; taskId: string }>();
  const line = { losesAnswers: false, refuses: false };
  const store: TaskStore<string, { taskId: string }> = {
    async create(key, body) {
      if (line.refuses) throw new Error('refused');
      const known = stored.get(key);
      if (known && known.body !== body) throw new Error('key reused');
      const taskId = known?.taskId ?? `task-${tasks.size + 1}`;
      if (!known) {
        tasks.set(taskId, body);
        stored.set(key, { body, taskId });
      }
      if (line.losesAnswers) throw new Lost();
      return { taskId };
    },
    async update(taskId, body) {
      if (!tasks.has(taskId)) throw new Gone();
      tasks.set(taskId, body);
      return { taskId };
    },
    isUnanswered: (error) => error instanceof Lost,
    isGone: (error) => error instanceof Gone,
  };
  return { tasks, line, store };
}

test('saving again changes the same task', async () => {
  const { store, tasks } = makeServer();
  const saver = makeTaskSaver(store, null);
  await saver.save('one');
  await saver.save('two');
  assert.deepEqual([...tasks.values()], ['two']);
  assert.equal(saver.taskId, 'task-1');
});

test('an answer that was lost makes no second task, even when the form changed since', async () => {
  const { store, tasks, line } = makeServer();
  const saver = makeTaskSaver(store, null);
  line.losesAnswers = true;
  await assert.rejects(saver.save('one'), Lost);
  await assert.rejects(saver.save('two'), Lost);
  line.losesAnswers = false;
  await saver.save('three');
  assert.deepEqual([...tasks.entries()], [['task-1', 'three']]);
});

test('after a rejection the corrected form is stored', async () => {
  const { store, tasks, line } = makeServer();
  const saver = makeTaskSaver(store, null);
  line.refuses = true;
  await assert.rejects(saver.save('bad'));
  line.refuses = false;
  await saver.save('good');
  assert.deepEqual([...tasks.values()], ['good']);
});

test('a known draft is never created again', async () => {
  const { store, tasks } = makeServer();
  tasks.set('draft-7', '');
  const saver = makeTaskSaver(store, 'draft-7');
  await saver.save('one');
  assert.deepEqual([...tasks.keys()], ['draft-7']);
});

test('keys are UUIDs and differ', () => {
  assert.match(randomKey(), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.notEqual(randomKey(), randomKey());
});

test('a draft deleted in the meantime is stored again with all values of the form', async () => {
  const { store, tasks } = makeServer();
  const saver = makeTaskSaver(store, 'task-deleted');
  await saver.save('typed');
  assert.deepEqual([...tasks], [['task-1', 'typed']]);
  assert.equal(saver.taskId, 'task-1');
  tasks.delete('task-1');
  tasks.set('another', '');
  await saver.save('typed again');
  assert.equal(tasks.get('task-2'), 'typed again');
});
