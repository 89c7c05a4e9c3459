/** Converts endpoints and events into the contract's types. */
import {
  type Callback,
  type CallbackAttempt,
  type CallbackEndpoint,
  type CallbackEvent,
  usualCallbackTypes,
} from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import {
  type AttemptRow,
  type EndpointRow,
  findLastAttempt,
  listCallbackSecrets,
} from '@pahatid/db/queries/callback-endpoints';
import type { CallbackRow } from '@pahatid/db/queries/callback-log';
import type { SignedInUser } from '../http/call.ts';
import { phoneFor, textFor } from '../http/phones.ts';

type Reader = Pick<SignedInUser, 'role'>;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentAttempt = (row: AttemptRow, user: Reader): CallbackAttempt => ({
  time: row.at.toISOString(),
  status: row.status,
  ms: row.ms,
  error: row.error,
  response: row.response === null ? null : textFor(user, row.response).slice(0, 1_024),
});

/** With its last try and the secrets that sign. */
export async function presentEndpoint(tx: Db, row: EndpointRow, user: Reader, now: Date): Promise<CallbackEndpoint> {
  const lastAttempt = await findLastAttempt(tx, row.endpointId);
  const secrets = await listCallbackSecrets(tx, row.endpointId, now);
  return {
    endpointId: row.endpointId,
    kind: row.kind,
    appId: row.appId,
    appName: row.appName,
    url: row.url,
    state: row.state,
    verifyTime: iso(row.verifiedAt),
    failingSince: iso(row.failingSince),
    nextTryTime: iso(row.nextAt),
    disableTime: iso(row.disabledAt),
    disabledReason: row.disabledReason,
    waiting: row.waiting,
    batched: row.isBatched,
    events: row.kind === 'alert' ? ['alert'] : (row.events ?? [...usualCallbackTypes]),
    lastAttempt: lastAttempt === null ? null : presentAttempt(lastAttempt, user),
    secrets: secrets.map(({ secretId, hint, createdAt, expiresAt }) => ({
      secretId,
      hint,
      createTime: createdAt.toISOString(),
      expireTime: iso(expiresAt),
    })),
  };
}

/** The callbacks of a message, for its history. */
export const presentCallbackEvent = (row: CallbackRow): CallbackEvent => ({
  eventId: row.eventId,
  time: row.at.toISOString(),
  state: row.state,
  clientStatus: row.type === 'message.status' ? (row.facts['clientStatus'] as Callback['clientStatus']) : null,
  attempts: row.attempts,
  lastTime: iso(row.lastAt),
  lastStatus: row.lastStatus,
  lastError: row.lastError,
  nextTryTime: iso(row.nextAt),
  deliverTime: iso(row.deliveredAt),
});

export const presentCallback = (row: CallbackRow): Callback => ({
  ...presentCallbackEvent(row),
  type: row.type,
  endpointId: row.endpointId,
  kind: row.kind,
  appId: row.appId,
  appName: row.appName,
  url: row.url,
  messageId: row.messageId,
  thresholdId: row.type === 'alert' ? row.subjectId : null,
  subjectId: /^(?:task|template|sender)\./.test(row.type) ? row.subjectId : null,
});

/** The body as it is sent, but with phones as this user may see them. */
export function presentBody(body: string, user: Reader): string {
  const event = JSON.parse(body) as { data: { mobileNumber?: string | null; content?: string | null } };
  const { mobileNumber, content } = event.data;
  if (mobileNumber) event.data.mobileNumber = phoneFor(user, mobileNumber);
  if (content) event.data.content = textFor(user, content);
  return JSON.stringify(event, null, 2);
}
