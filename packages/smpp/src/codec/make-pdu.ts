import type { CommandName } from './commands.ts';
import { type BodyOf, type DeliverSm, FIELD_SPECS, type FieldSpec, type PduOf, type SubmitSm } from './field-specs.ts';
import { NO_TLVS, type Tlv } from './tlvs.ts';

const NO_OCTETS = Buffer.alloc(0);

type Given<C extends CommandName> = Partial<BodyOf<C>> & {
  command_status?: number;
  sequence_number?: number;
  tlvs?: readonly Tlv[];
};

/**
 * Builds a PDU from the given fields and the NULL settings of SMPP 3.4 §3.1 (0, "", no octets) for the rest. A response
 * with an error status gets no body unless one is given: the header is sufficient.
 */
export function makePdu<C extends CommandName>(command: C, given: Given<C> = {}): PduOf<C> {
  if (command === 'submit_sm' || command === 'deliver_sm') return makeSm(command, given) as PduOf<C>;
  const pdu: Record<string, unknown> = {
    command,
    command_status: given.command_status ?? 0,
    sequence_number: given.sequence_number ?? 0,
  };
  const bodiless = command.endsWith('_resp') && pdu.command_status !== 0;
  for (const spec of FIELD_SPECS[command] as readonly FieldSpec[]) {
    const value = (given as Record<string, unknown>)[spec.name];
    if (value !== undefined) pdu[spec.name] = value;
    else if (!bodiless) pdu[spec.name] = nullSetting(spec);
  }
  pdu.tlvs = given.tlvs ?? NO_TLVS;
  return pdu as PduOf<C>;
}

/** The same for nearly all of the traffic, in the one object shape that the decoder and the encoder use. */
function makeSm(command: 'submit_sm' | 'deliver_sm', given: Given<'submit_sm'>): SubmitSm | DeliverSm {
  return {
    command,
    command_status: given.command_status ?? 0,
    sequence_number: given.sequence_number ?? 0,
    service_type: given.service_type ?? '',
    source_addr_ton: given.source_addr_ton ?? 0,
    source_addr_npi: given.source_addr_npi ?? 0,
    source_addr: given.source_addr ?? '',
    dest_addr_ton: given.dest_addr_ton ?? 0,
    dest_addr_npi: given.dest_addr_npi ?? 0,
    destination_addr: given.destination_addr ?? '',
    esm_class: given.esm_class ?? 0,
    protocol_id: given.protocol_id ?? 0,
    priority_flag: given.priority_flag ?? 0,
    schedule_delivery_time: given.schedule_delivery_time ?? '',
    validity_period: given.validity_period ?? '',
    registered_delivery: given.registered_delivery ?? 0,
    replace_if_present_flag: given.replace_if_present_flag ?? 0,
    data_coding: given.data_coding ?? 0,
    sm_default_msg_id: given.sm_default_msg_id ?? 0,
    short_message: given.short_message ?? NO_OCTETS,
    tlvs: given.tlvs ?? NO_TLVS,
  };
}

function nullSetting(spec: FieldSpec): unknown {
  switch (spec.kind) {
    case 'integer':
      return 0;
    case 'cstring':
      return '';
    case 'short_message':
      return NO_OCTETS;
    case 'destinations':
    case 'failures':
      return [];
  }
}
