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
export {
  buildReceiptText,
  buildReceiptTlvs,
  type ReceiptContent,
  type ReceiptStyle,
} from './receipts/build-receipt.ts';
export { decimalToHexId, hexToDecimalId, normaliseMessageId } from './receipts/message-ids.ts';
export {
  MESSAGE_STATE,
  outcomeOfStat,
  type StatOutcome,
  stateOfStat,
  statOfState,
} from './receipts/message-states.ts';
export { isReceipt, parseReceiptText, type Receipt, type ReceiptText, readReceipt } from './receipts/parse-receipt.ts';
export { formatReceiptDate, parseReceiptDate, type ReceiptDateFormat } from './receipts/receipt-dates.ts';
export type { BindMode, ConnectOptions, ConnectResult } from './session/client-types.ts';
export { type Clock, systemClock, type Timer } from './session/clock.ts';
export { connectSession } from './session/connect-session.ts';
export { listenSmpp } from './session/listen-smpp.ts';
export type {
  BindAnswer,
  BindRequest,
  FaultControls,
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
export {
  type Alphabet,
  DATA_CODING,
  type DataCoding,
  type DefaultAlphabet,
  decodeText,
  encodeText,
  readDataCoding,
} from './text/data-coding.ts';
export { decodeGsm7, encodeGsm7, gsm7Septets, isGsm7 } from './text/gsm7.ts';
export { type Reassembled, Reassembler, type ReassemblerOptions } from './text/reassembler.ts';
export {
  countSegments,
  ESM_CLASS_UDHI,
  type SegmentAlphabet,
  type Segments,
  segmentOctets,
  segmentText,
} from './text/segment-text.ts';
export { type Concatenation, readUserData, type UserData } from './text/user-data.ts';
export {
  formatAbsoluteTime,
  formatRelativeTime,
  parseSmppTime,
  resolveSmppTime,
  type SmppTime,
} from './time/smpp-time.ts';
