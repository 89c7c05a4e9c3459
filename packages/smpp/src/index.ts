export { COMMAND_ID, type CommandName, commandName, isResponseId } from './codec/commands.ts';
export { encodePdu, encodePduInto, PduEncodeError, pduOctets } from './codec/encode-pdu.ts';
export {
  type BindPdu,
  type BodyOf,
  type DataSm,
  type DeliverSm,
  type DeliverSmResp,
  type Destination,
  FIELD_SPECS,
  type FieldSpec,
  type Pdu,
  type PduOf,
  type RequestName,
  type RequestPdu,
  type ResponseName,
  type ResponsePdu,
  type SubmitFailure,
  type SubmitSm,
  type SubmitSmResp,
} from './codec/field-specs.ts';
export { makePdu } from './codec/make-pdu.ts';
export { type Decoded, type DecoderOptions, PduDecoder } from './codec/pdu-decoder.ts';
export { STATUS, type StatusName, statusName } from './codec/statuses.ts';
export {
  findTlv,
  hasStandardLength,
  integerTlv,
  octetsTlv,
  readIntegerTlv,
  readStringTlv,
  stringTlv,
  TLV,
  type Tlv,
  type TlvName,
  tlvName,
} from './codec/tlvs.ts';
export type { BindMode, ConnectOptions, ConnectResult } from './session/client-types.ts';
export { type Clock, systemClock, type Timer } from './session/clock.ts';
export { connectSession } from './session/connect-session.ts';
export { listenSmpp } from './session/listen-smpp.ts';
export type {
  BindAnswer,
  BindRequest,
  ListenOptions,
  ResponseBody,
  ServerRequest,
  ServerSession,
  ServerSessionHandler,
  SmppServer,
} from './session/server-types.ts';
export type {
  ClientHandler,
  CloseReason,
  OutcomeHandler,
  Respond,
  Session,
  SessionCounters,
  SessionOptions,
  UnknownReason,
} from './session/session-types.ts';
