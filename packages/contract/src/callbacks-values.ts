/** Closed sets of callbacks, apart from the schemas, which the console leaves out. */

/** What is told: a message's state, a phone's text, a threshold that fired, a test that a person asked for. */
export const callbackTypes = ['message.status', 'message.inbound', 'alert', 'test'] as const;
export type CallbackType = (typeof callbackTypes)[number];

/** `givenUp`: no further try is made by itself; a person may ask for one. */
export const callbackStates = ['waiting', 'delivered', 'givenUp'] as const;
export type CallbackState = (typeof callbackStates)[number];

/** Told its application's events, or the alerts of thresholds that name it. */
export const endpointKinds = ['application', 'alert'] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** Nothing but tests is sent to an endpoint that is not enabled. */
export const endpointStates = ['unverified', 'enabled', 'disabled'] as const;
export type EndpointState = (typeof endpointStates)[number];

/**
 * Why a try failed:
 * - `addressRefused`: no public address, or one of ours
 * - `nameNotFound`: the host has no address
 * - `unreachable`: no connection
 * - `tls`: no valid certificate
 * - `timeout`: no whole answer within 15 s
 * - `closed`: the connection ended before an answer
 * - `redirect`: 3xx, which is not followed
 * - `gone`: 410, which disables the endpoint
 * - `status`: any other answer than 2xx
 * - `challenge`: 2xx to a test, without its challenge in the answer
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

/** Addresses that one threshold tells. */
export const webhooksLimit = 5;
/** Events and their tries are kept for as long. */
export const callbackKeptDays = 30;
