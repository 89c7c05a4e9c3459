/**
 * Each PDU of SMPP 3.4 §4 as the list of its mandatory fields, in wire order. Encoder, decoder and the TypeScript types
 * of the PDUs are all derived from these lists.
 */
import type { CommandName } from './commands.ts';
import type { Tlv } from './tlvs.ts';

export type FieldSpec =
  | { readonly name: string; readonly kind: 'integer' }
  /** C-octet string; `max` counts the closing NUL, as the standard's tables do. */
  | { readonly name: string; readonly kind: 'cstring'; readonly max: number }
  /** sm_length (one octet) and short_message. */
  | { readonly name: string; readonly kind: 'short_message' }
  /** number_of_dests and dest_address(es), §4.5.1.1. */
  | { readonly name: string; readonly kind: 'destinations' }
  /** no_unsuccess and unsuccess_sme(s), §4.5.2.1. */
  | { readonly name: string; readonly kind: 'failures' };

/** dest_flag 1 is an SME address, dest_flag 2 a distribution list. */
export type Destination =
  | { dest_addr_ton: number; dest_addr_npi: number; destination_addr: string }
  | { dl_name: string };
export type SubmitFailure = {
  dest_addr_ton: number;
  dest_addr_npi: number;
  destination_addr: string;
  error_status_code: number;
};

const integer = <N extends string>(name: N) => ({ name, kind: 'integer' }) as const;
const cstring = <N extends string>(name: N, max: number) => ({ name, kind: 'cstring', max }) as const;

const sourceAddress = [integer('source_addr_ton'), integer('source_addr_npi'), cstring('source_addr', 21)] as const;
const destinationAddress = [
  integer('dest_addr_ton'),
  integer('dest_addr_npi'),
  cstring('destination_addr', 21),
] as const;
const times = [cstring('schedule_delivery_time', 17), cstring('validity_period', 17)] as const;
const shortMessage = { name: 'short_message', kind: 'short_message' } as const;
const messageId = cstring('message_id', 65);

const bind = [
  cstring('system_id', 16),
  cstring('password', 9),
  cstring('system_type', 13),
  integer('interface_version'),
  integer('addr_ton'),
  integer('addr_npi'),
  cstring('address_range', 41),
] as const;
const bindResponse = [cstring('system_id', 16)] as const;

const afterDestination = [
  integer('esm_class'),
  integer('protocol_id'),
  integer('priority_flag'),
  ...times,
  integer('registered_delivery'),
  integer('replace_if_present_flag'),
  integer('data_coding'),
  integer('sm_default_msg_id'),
  shortMessage,
] as const;
const sm = [cstring('service_type', 6), ...sourceAddress, ...destinationAddress, ...afterDestination] as const;

export const FIELD_SPECS = {
  generic_nack: [],
  bind_receiver: bind,
  bind_receiver_resp: bindResponse,
  bind_transmitter: bind,
  bind_transmitter_resp: bindResponse,
  bind_transceiver: bind,
  bind_transceiver_resp: bindResponse,
  outbind: [cstring('system_id', 16), cstring('password', 9)],
  unbind: [],
  unbind_resp: [],
  submit_sm: sm,
  submit_sm_resp: [messageId],
  deliver_sm: sm,
  deliver_sm_resp: [messageId],
  submit_multi: [
    cstring('service_type', 6),
    ...sourceAddress,
    { name: 'dest_address', kind: 'destinations' },
    ...afterDestination,
  ],
  submit_multi_resp: [messageId, { name: 'unsuccess_sme', kind: 'failures' }],
  data_sm: [
    cstring('service_type', 6),
    integer('source_addr_ton'),
    integer('source_addr_npi'),
    cstring('source_addr', 65),
    integer('dest_addr_ton'),
    integer('dest_addr_npi'),
    cstring('destination_addr', 65),
    integer('esm_class'),
    integer('registered_delivery'),
    integer('data_coding'),
  ],
  data_sm_resp: [messageId],
  query_sm: [messageId, ...sourceAddress],
  query_sm_resp: [messageId, cstring('final_date', 17), integer('message_state'), integer('error_code')],
  cancel_sm: [cstring('service_type', 6), messageId, ...sourceAddress, ...destinationAddress],
  cancel_sm_resp: [],
  replace_sm: [
    messageId,
    ...sourceAddress,
    ...times,
    integer('registered_delivery'),
    integer('sm_default_msg_id'),
    shortMessage,
  ],
  replace_sm_resp: [],
  enquire_link: [],
  enquire_link_resp: [],
  alert_notification: [
    integer('source_addr_ton'),
    integer('source_addr_npi'),
    cstring('source_addr', 65),
    integer('esme_addr_ton'),
    integer('esme_addr_npi'),
    cstring('esme_addr', 65),
  ],
} as const satisfies Record<CommandName, readonly FieldSpec[]>;

type FieldValue<S extends FieldSpec> = {
  integer: number;
  cstring: string;
  short_message: Buffer;
  destinations: readonly Destination[];
  failures: readonly SubmitFailure[];
}[S['kind']];

type FieldsOf<S extends readonly FieldSpec[]> = { [F in S[number] as F['name']]: FieldValue<F> };
/** A response may lack its body whatever its status (SMPP 3.4 §4.4.2 allows it on errors, carriers always do it). */
type OptionalFieldsOf<S extends readonly FieldSpec[]> = { [F in S[number] as F['name']]?: FieldValue<F> };

export type BodyOf<C extends CommandName> = C extends `${string}_resp`
  ? OptionalFieldsOf<(typeof FIELD_SPECS)[C]>
  : FieldsOf<(typeof FIELD_SPECS)[C]>;

export type PduOf<C extends CommandName> = C extends CommandName
  ? {
      command: C;
      command_status: number;
      sequence_number: number;
      /** In order of arrival, octets untouched. */
      tlvs: readonly Tlv[];
    } & BodyOf<C>
  : never;

/** Any PDU, discriminated by `command`. Fields have the standard's names. */
export type Pdu = PduOf<CommandName>;

export type SubmitSm = PduOf<'submit_sm'>;
export type SubmitSmResp = PduOf<'submit_sm_resp'>;
export type DeliverSm = PduOf<'deliver_sm'>;
export type DeliverSmResp = PduOf<'deliver_sm_resp'>;
export type DataSm = PduOf<'data_sm'>;
export type BindPdu = PduOf<'bind_receiver' | 'bind_transmitter' | 'bind_transceiver'>;

export type ResponseName = Extract<CommandName, `${string}_resp`> | 'generic_nack';
export type RequestName = Exclude<CommandName, ResponseName>;
export type RequestPdu = PduOf<RequestName>;
export type ResponsePdu = PduOf<ResponseName>;
