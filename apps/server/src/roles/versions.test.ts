/** Concurrent edits: of two saves from the same version exactly one succeeds, and the other gets an error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildUser } from '@pahatid/db/builders';
import { registerApplications } from '../features/applications/routes.ts';
import { registerGroups } from '../features/groups/routes.ts';
import { registerShortLinks } from '../features/short-links/routes.ts';
import { registerTasks } from '../features/tasks/routes.ts';
import { registerTemplates } from '../features/templates/routes.ts';
import { registerThresholds } from '../features/thresholds/routes.ts';
import { makeTestApi } from '../http/testing/test-api.ts';

const api = await makeTestApi({
  features: [
    registerApplications,
    registerGroups,
    registerShortLinks,
    registerTasks,
    registerTemplates,
    registerThresholds,
  ],
});
const second = await buildUser(api.db.pool, { customerId: api.customerId, role: 'owner', name: 'Second Saver' });
const secondCookie = await api.signIn(second.userId);

const make = async (route: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await api.ask('owner', route, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};

interface Entity {
  path: string;
  /** Field that carries the version. */
  versionField?: string;
  /** A change that the two savers make differently. */
  change: (word: string) => Record<string, unknown>;
}

const template = () =>
  make('POST /templates', { templateName: 'Welcome', smsType: 2, appId: api.appId, content: 'Hello {1}.' });

const entities: Record<string, () => Promise<Entity>> = {
  'a draft': async () => {
    const { taskId } = await make('POST /tasks', { taskName: 'Draft', draft: true });
    return { path: `/tasks/${taskId}`, change: (word) => ({ taskName: word }) };
  },
  'a template': async () => {
    const { templateId } = await template();
    return {
      path: `/templates/${templateId}`,
      versionField: 'editVersion',
      change: (word) => ({ templateName: `Welcome ${word}` }),
    };
  },
  'a group': async () => {
    const { groupId } = await make('POST /groups', { groupName: 'Regulars' });
    return { path: `/groups/${groupId}`, change: (word) => ({ description: word }) };
  },
  'a threshold': async () => {
    const { thresholdId } = await make('POST /thresholds', { kind: 'frequency', perDay: 9 });
    return { path: `/thresholds/${thresholdId}`, change: (word) => ({ perDay: word === 'first' ? 1 : 2 }) };
  },
  'a short link': async () => {
    const { linkId } = await make('POST /short-links', { linkName: 'Shop', targetUrl: 'https://example.com/' });
    return { path: `/short-links/${linkId}`, change: (word) => ({ linkName: word }) };
  },
  'an application': async () => ({ path: `/applications/${api.appId}`, change: (word) => ({ remarkInfo: word }) }),
};

for (const [name, build] of Object.entries(entities))
  test(`of two concurrent saves of ${name} exactly one succeeds, and the other gets the author and time`, async () => {
    const { path, versionField = 'version', change } = await build();
    const seen = (await api.ask('owner', `GET ${path}`)).body[versionField] as number;
    const save = (cookie: string, word: string, version?: number) =>
      api.ask('owner', `PATCH ${path}`, {
        headers: { cookie },
        body: { ...change(word), ...(version !== undefined && { [versionField]: version }) },
      });
    const ours = [api.users.owner.cookie, secondCookie] as const;
    const answers = await Promise.all([save(ours[0], 'first', seen), save(ours[1], 'second', seen)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
    const won = answers.findIndex(({ status }) => status === 200);
    const refused = answers[1 - won]!.body;
    assert.equal(refused.code, 'VERSION_CONFLICT');
    assert.equal(refused.params.version, seen + 1);
    assert.ok(Date.parse(refused.params.editedTime) > 0, JSON.stringify(refused));
    if (won === 1) assert.equal(refused.params.editedBy, 'Second Saver');
    else assert.notEqual(refused.params.editedBy, '');

    // What the winner wrote is stored and can be compared with the refused save.
    const stored = (await api.ask('owner', `GET ${path}`)).body;
    assert.equal(stored[versionField], seen + 1);
    for (const [field, value] of Object.entries(change(won === 0 ? 'first' : 'second')))
      assert.deepEqual(stored[field], value);

    // Overwriting is a choice: the same change from the version that was read since.
    const again = await save(ours[1 - won]!, won === 0 ? 'second' : 'first', seen + 1);
    assert.equal(again.status, 200);
    assert.equal(again.body[versionField], seen + 2);

    // Programs may leave the version out; then the last save wins.
    const last = await save(ours[0], 'first');
    assert.equal(last.status, 200);
    assert.equal(last.body[versionField], seen + 3);
    assert.equal((await save(ours[0], 'first', 0)).status, 400);
  });

test('a refused save writes no entry in the audit log', async () => {
  const { taskId } = await make('POST /tasks', { taskName: 'Draft', draft: true });
  const save = (version: number) =>
    api.ask('owner', `PATCH /tasks/${taskId}`, { body: { taskName: 'Other', version } });
  assert.equal((await save(7)).body.code, 'VERSION_CONFLICT');
  const { rows } = await api.db.pool.query(
    `select action from audit_log where subject_type = 'task' and subject_id = $1`,
    [taskId],
  );
  assert.deepEqual(rows, [{ action: 'create' }]);
});

test('the version of a template’s text guards its text', async () => {
  const { templateId } = await make('POST /templates', {
    templateName: 'Guarded',
    smsType: 2,
    appId: api.appId,
    content: 'Hello {1}.',
  });
  const save = (content: string) =>
    api.ask('owner', `PATCH /templates/${templateId}`, { body: { content, version: 1 } });
  const answers = await Promise.all([save('Good day {1}.'), save('Good night {1}.')]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  const { versions } = (await api.ask('owner', `GET /templates/${templateId}`)).body;
  assert.equal(versions.length, 2);
});

test('another customer learns nothing of a version', async () => {
  const { groupId } = await make('POST /groups', { groupName: 'Private' });
  const answer = await api.ask('other', `PATCH /groups/${groupId}`, { body: { description: 'x', version: 9 } });
  assert.equal(answer.status, 404);
});
