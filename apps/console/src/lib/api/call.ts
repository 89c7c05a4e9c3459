import {
  type CallRequest,
  type CallResult,
  makeClient,
  makeRequest,
  type RequestParts,
  type RouteKey,
} from '@pahatid/contract';
import { ApiError, problemToError } from './api-error.ts';
import { takeEarlySession } from './early-session.ts';
import { askForProof } from './proof.ts';
import { announceSessionEnded } from './session-ended.ts';

export const apiBase = '/api/v1';

/** Sends one request; returns `undefined` for an empty response. */
async function send(request: CallRequest, extra: Record<string, string> = {}): Promise<unknown> {
  const headers: Record<string, string> = {
    Accept: 'application/json, application/problem+json',
    // Of the page, not of the browser: mail and SMS that a call brings about speak it.
    'Accept-Language': document.documentElement.lang,
    ...extra,
  };
  const init: RequestInit = { method: request.method, credentials: 'same-origin', headers };
  if (request.body !== undefined) {
    headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(request.body);
  }
  let response: Response;
  let text: string;
  try {
    response = await (takeEarlySession(request.method, request.path) ?? fetch(apiBase + request.path, init));
    text = await response.text();
  } catch (cause) {
    throw new ApiError('NETWORK', 0, { cause });
  }
  if (!response.ok) {
    const error = problemToError(response.status, text, response.headers.get('x-request-id'));
    if (error.code === 'NOT_SIGNED_IN') announceSessionEnded();
    if (error.code === 'STEP_UP_REQUIRED' && (await askForProof())) return send(request, extra);
    throw error;
  }
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ApiError('UNREADABLE_ANSWER', response.status, {
      cause,
      requestId: response.headers.get('x-request-id'),
    });
  }
}

/**
 * The typed client: `call('GET /tasks', { query: { search } })`. Throws `ApiError`.
 * A 401 also redirects to the sign-in and back to the same place; an action that needs a fresh proof asks for it, and
 * is sent again.
 */
export const call = makeClient((request) => send(request));

/** The same without checking the input's type, for reads whose filters come from the address. */
export const callUnchecked = async <K extends RouteKey>(key: K, input?: RequestParts): Promise<CallResult<K>> =>
  (await send(makeRequest(key, input))) as CallResult<K>;

/** The same under an idempotency key: the server acts once, however often the same body arrives. */
export const callOnce = (key: string) => makeClient((request) => send(request, { 'Idempotency-Key': key }));
