/** Closed sets of callbacks, apart from the schemas, which the console leaves out. */
import type { ApiScope } from './scopes.ts';

/**
 * Event types that an application's address may receive: a message's state, a phone's text, a task's status, reviews of
 * templates and sender IDs, a balance below its line or above it again, a threshold that fired.
 */
export const chosenCallbackTypes = [
  'message.status',
  'message.inbound',
  'task.status',
  'template.status',
  'sender.status',
  'balance.status',
  'alert',
] as const;
export type ChosenCallbackType = (typeof chosenCallbackTypes)[number];
/** What software needs to receive a type on the stream of events. */
export const eventScopes: Readonly<Record<ChosenCallbackType, ApiScope>> = {
  'message.status': 'messages:read',
  'message.inbound': 'replies',
  'task.status': 'tasks',
  'template.status': 'templates',
  'sender.status': 'senders',
  'balance.status': 'billing:read',
  alert: 'statistics:read',
};
/** On a stream alone: how many events of messages were left out, because more happened at a time than it shows. */
export const skippedType = 'events.skipped';
export const liveEventTypes = [...chosenCallbackTypes, skippedType] as const;
export type LiveEventType = (typeof liveEventTypes)[number];
/** Hours after which the stream can not be resumed from an event. */
export const liveKeptHours = 1;
/** Those it receives if its owner chose none. */
export const usualCallbackTypes: readonly ChosenCallbackType[] = ['message.status', 'message.inbound'];
/** `test`: requested by a user, or of a new address. */
export const callbackTypes = [...chosenCallbackTypes, 'test'] as const;
export type CallbackType = (typeof callbackTypes)[number];

/** `givenUp`: no further automatic attempt; a user may request one. */
export const callbackStates = ['waiting', 'delivered', 'givenUp'] as const;
export type CallbackState = (typeof callbackStates)[number];

/** Receives its application's events, or the alerts of thresholds that reference it. */
export const endpointKinds = ['application', 'alert'] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** Nothing but tests is sent to an endpoint that is not enabled. */
export const endpointStates = ['unverified', 'enabled', 'disabled'] as const;
export type EndpointState = (typeof endpointStates)[number];

/**
 * Why an attempt failed:
 * - `addressRefused`: no public address, or one of ours
 * - `nameNotFound`: the host has no address
 * - `unreachable`: no connection
 * - `tls`: no valid certificate
 * - `timeout`: no complete response within 15 s
 * - `closed`: the connection ended before a response
 * - `redirect`: 3xx, which is not followed
 * - `gone`: 410, which disables the endpoint
 * - `status`: any other response than 2xx
 * - `challenge`: 2xx to a test, without its challenge in the response
 */
export const callbackErrors = [
  'addressRefused',
  'nameNotFound',
  'unreachable',
  'tls',
  'timeout',
  'closed',
  'redirect',
  'gone',
  'status',
  'challenge',
] as const;
export type CallbackError = (typeof callbackErrors)[number];

/** Why an endpoint was disabled: all tries of an event failed, or it answered 410. */
export const disabledReasons = ['failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Maximum events of one request to an address that receives them in arrays, and its time to fill. */
export const callbackBatch = { events: 500, ms: 1_000 } as const;
/** Maximum addresses notified by one threshold. */
export const webhooksLimit = 5;
/** Days for which events and their attempts are stored. */
export const callbackKeptDays = 30;
