import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '@pahatid/contract';
import { QueryClient } from '@tanstack/react-query';
import { watchForOtherUser } from './other-user.ts';
import { sessionQuery } from './session.ts';

const { queryKey } = sessionQuery;
const sessionOf = (userId: string, customerId: string, balance = 0) =>
  ({ user: { userId, kind: 'customer' }, customer: { customerId, balance } }) as unknown as Session;

const watched = () => {
  const client = new QueryClient();
  const changes: string[] = [];
  watchForOtherUser(client, (before, now) => changes.push(`${before.user.userId} ${now.customer?.customerId}`));
  return { changes, set: (session: Session | null) => client.setQueryData(queryKey, session), client };
};

test('a page is notified while its session belongs to another user', () => {
  const { changes, set, client } = watched();
  set(sessionOf('ana', 'shop'));
  set(sessionOf('ana', 'shop', 5));
  assert.deepEqual(changes, []);
  set(sessionOf('ben', 'bank'));
  assert.deepEqual(changes, ['ana bank']);
  set(sessionOf('ana', 'shop'));
  set(sessionOf('ben', 'bank'));
  assert.deepEqual(changes, ['ana bank', 'ana bank']);
  client.clear();
});

test('staff starting a support view in another tab are also reported', () => {
  const { changes, set, client } = watched();
  set({ ...sessionOf('sam', ''), customer: null });
  set(sessionOf('sam', 'shop'));
  assert.deepEqual(changes, ['sam shop']);
  client.clear();
});

test('signing out and back in as another user is not reported as a changed page', () => {
  const { changes, set, client } = watched();
  set(sessionOf('ana', 'shop'));
  set(null);
  set(sessionOf('ben', 'bank'));
  assert.deepEqual(changes, []);
  client.clear();
});
