import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextLifeStep, noteAsked, noteReceived, startLife } from './session-timers.ts';

const settings = {
  enquireLinkIdleMs: 30_000,
  enquireLinkTimeoutMs: 10_000,
  enquireLinkMisses: 2,
  inactivityTimeoutMs: 0,
};

test('C7: enquire_link is due only after 30 s without an octet', () => {
  const life = startLife(0);
  assert.deepEqual(nextLifeStep(life, settings, 0), { do: 'wait', dueAt: 30_000 });
  noteReceived(life, 20_000);
  assert.deepEqual(nextLifeStep(life, settings, 30_000), { do: 'wait', dueAt: 50_000 });
  assert.deepEqual(nextLifeStep(life, settings, 50_000), { do: 'enquire' });
});

test('C7: two that stay unanswered end the session, any octet in between saves it', () => {
  const life = startLife(0);
  noteAsked(life, 30_000);
  assert.deepEqual(nextLifeStep(life, settings, 30_000), { do: 'wait', dueAt: 40_000 });
  assert.deepEqual(nextLifeStep(life, settings, 40_000), { do: 'enquire' });
  noteAsked(life, 40_000);
  const saved = { ...life };
  assert.deepEqual(nextLifeStep(life, settings, 50_000), { do: 'close', reason: 'enquire_link_timeout' });
  noteReceived(saved, 49_999);
  assert.deepEqual(nextLifeStep(saved, settings, 50_000), { do: 'wait', dueAt: 79_999 });
});

test('inactivity ends a session whose only traffic is enquire_link', () => {
  const life = startLife(0);
  noteReceived(life, 299_000);
  const step = nextLifeStep(life, { ...settings, inactivityTimeoutMs: 300_000 }, 300_000);
  assert.deepEqual(step, { do: 'close', reason: 'inactivity_timeout' });
});
