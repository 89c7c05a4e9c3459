/** S75 Two API processes on one database: a link that staff block through one of them leads nowhere in the other. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { freePort, Program, until } from '@pahatid/testkit';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { targetCacheMs } from './redirect.ts';

const boundMs = 5_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-links-'));
const api = await makeTestApi({ features: apiFeatures });
after(() => rmSync(folder, { recursive: true, force: true }));

async function startSecond(): Promise<(code: string) => Promise<{ status: number; target: string | null }>> {
  const port = await freePort();
  const program = new Program([path.join(import.meta.dirname, '../../main.ts'), 'start', '--roles', 'api'], {
    env: {
      DATABASE_URL: api.db.url,
      PAHATID_SECRET: '00'.repeat(32),
      PAHATID_DEMO: 'off',
      PAHATID_PORT: String(port),
      PAHATID_SIM_PORT: 'off',
      PAHATID_API_PROCESSES: '1',
      PAHATID_DATA: folder,
      PAHATID_RATE_ADDRESS: '1000000',
    },
  });
  api.db.beforeClose(() => program.kill());
  await program.says('Pahatid is ready');
  return async (code) => {
    const answer = await fetch(`http://127.0.0.1:${port}/s/${code}`, { redirect: 'manual' });
    await answer.arrayBuffer();
    return { status: answer.status, target: answer.headers.get('location') };
  };
}

test('S75 a link or domain blocked or approved through one process changes in the other once its cache ends', async () => {
  // The only thing that keeps the other process from the change: nothing renews a cached target.
  assert.ok(targetCacheMs < boundMs);
  const visit = await startSecond();
  const targetUrl = 'https://two.example.com/';
  const added = await api.ask('owner', 'POST /short-links', { body: { linkName: 'Two', targetUrl, mode: 'shared' } });
  assert.equal(added.status, 201, added.text);
  const { linkId, code } = added.body;
  const changes = (what: string, call: string, body: object | undefined, expected: object, who = 'reviewer' as const) =>
    api.ask(who, call, { body }).then(async (answer) => {
      assert.equal(answer.status, 204, answer.text);
      await until(async () => (await visit(code)).status !== before.status, { what });
      before = await visit(code);
      assert.deepEqual(before, expected, what);
    });
  const open = { status: 302, target: targetUrl };
  const closed = { status: 410, target: null };
  const reason = { reason: 'Phishing' };
  let before = await visit(code);
  assert.deepEqual(before, { status: 404, target: null });
  await changes('the approval', `POST /reviews/links/${linkId}/approve`, {}, open);
  await changes('the block of the link', `PUT /blocked-links/${linkId}`, reason, closed);
  await changes('the end of the block', `DELETE /blocked-links/${linkId}`, undefined, open);
  await changes('the block of the domain', 'PUT /blocked-link-domains/example.com', reason, closed);
});
