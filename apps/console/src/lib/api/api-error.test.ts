import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { ApiError, problemToError } from './api-error.ts';
import { call } from './call.ts';

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Returns the error that a page's call throws for this response. */
async function failureOf(answer: Response): Promise<ApiError> {
  Object.defineProperty(globalThis, 'document', {
    value: { documentElement: { lang: 'en-US' } },
    configurable: true,
  });
  globalThis.fetch = async () => answer;
  const error: unknown = await call('GET /session').then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError);
  return error;
}

test('where the server failed, or its answer cannot be read, there is an id to give to support', async () => {
  const problem = JSON.stringify({ code: 'INTERNAL', requestId: 'req-1' });
  assert.equal((await failureOf(new Response(problem, { status: 500 }))).idForSupport, 'req-1');
  const headers = { 'x-request-id': 'req-2' };
  assert.equal((await failureOf(new Response('<html>', { status: 502, headers }))).idForSupport, 'req-2');
  assert.equal((await failureOf(new Response('<html>', { status: 404, headers }))).idForSupport, 'req-2');
  assert.equal((await failureOf(new Response('{"user":', { status: 200, headers }))).idForSupport, 'req-2');
});

test('errors that the user can fix show no support id', () => {
  const refused = problemToError(422, JSON.stringify({ code: 'INVALID', requestId: 'req-3' }), 'req-3');
  assert.equal(refused.requestId, 'req-3');
  assert.equal(refused.idForSupport, null);
  assert.equal(new ApiError('NETWORK', 0).idForSupport, null);
});
