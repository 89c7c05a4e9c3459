export { type CallbackHeaders, type VerifyOptions, verifyCallback } from './callbacks.ts';
export type { CallInput, CallResult, ListKey, OperationKey } from './calls.ts';
export type { EventsOptions, LiveEvent } from './events.ts';
export { AuditStatus, ClientStatus, SmsType, TaskStatus } from './generated/enums.ts';
export type { Operations } from './generated/operations.ts';
export {
  type AcceptedMessage,
  type AcceptedMessages,
  type NewMessage,
  Pahatid,
  type PahatidOptions,
  type SendOptions,
} from './pahatid.ts';
export { type FieldProblem, PahatidError } from './problem.ts';
