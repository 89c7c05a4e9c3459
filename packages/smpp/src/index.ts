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
