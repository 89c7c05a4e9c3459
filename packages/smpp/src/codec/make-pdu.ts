import type { CommandName } from './commands.ts';
import { type BodyOf, FIELD_SPECS, type FieldSpec, type PduOf } from './field-specs.ts';
import { NO_TLVS, type Tlv } from './tlvs.ts';

const NO_OCTETS = Buffer.alloc(0);

type Given<C extends CommandName> = Partial<BodyOf<C>> & {
  command_status?: number;
  sequence_number?: number;
  tlvs?: readonly Tlv[];
};

/**
 * Builds a PDU from what is given and the NULL settings of SMPP 3.4 §3.1 (0, "", no octets) for the rest.
 * A response of an error status gets no body unless one is given: the header says it all.
 */
export function makePdu<C extends CommandName>(command: C, given: Given<C> = {}): PduOf<C> {
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
