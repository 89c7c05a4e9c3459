/**
 * Optional parameters (TLVs), SMPP 3.4 §5.3. They are stored as a list in the order of arrival, with their original
 * octets, so that an unknown one is re-encoded identically. Typed readers below interpret a value only on request.
 */
export type Tlv = { tag: number; value: Buffer };

export const NO_TLVS: readonly Tlv[] = [];

type TlvFormat = { tag: number; octets?: 1 | 2 | 4 };

/** Tags of SMPP 3.4 §5.3.2; `octets` if the value is an integer of that exact length. */
export const TLV = {
  dest_addr_subunit: { tag: 0x0005, octets: 1 },
  dest_network_type: { tag: 0x0006, octets: 1 },
  dest_bearer_type: { tag: 0x0007, octets: 1 },
  dest_telematics_id: { tag: 0x0008, octets: 2 },
  source_addr_subunit: { tag: 0x000d, octets: 1 },
  source_network_type: { tag: 0x000e, octets: 1 },
  source_bearer_type: { tag: 0x000f, octets: 1 },
  source_telematics_id: { tag: 0x0010, octets: 1 },
  qos_time_to_live: { tag: 0x0017, octets: 4 },
  payload_type: { tag: 0x0019, octets: 1 },
  additional_status_info_text: { tag: 0x001d },
  receipted_message_id: { tag: 0x001e },
  ms_msg_wait_facilities: { tag: 0x0030, octets: 1 },
  privacy_indicator: { tag: 0x0201, octets: 1 },
  source_subaddress: { tag: 0x0202 },
  dest_subaddress: { tag: 0x0203 },
  user_message_reference: { tag: 0x0204, octets: 2 },
  user_response_code: { tag: 0x0205, octets: 1 },
  source_port: { tag: 0x020a, octets: 2 },
  destination_port: { tag: 0x020b, octets: 2 },
  sar_msg_ref_num: { tag: 0x020c, octets: 2 },
  language_indicator: { tag: 0x020d, octets: 1 },
  sar_total_segments: { tag: 0x020e, octets: 1 },
  sar_segment_seqnum: { tag: 0x020f, octets: 1 },
  sc_interface_version: { tag: 0x0210, octets: 1 },
  callback_num_pres_ind: { tag: 0x0302, octets: 1 },
  callback_num_atag: { tag: 0x0303 },
  number_of_messages: { tag: 0x0304, octets: 1 },
  callback_num: { tag: 0x0381 },
  dpf_result: { tag: 0x0420, octets: 1 },
  set_dpf: { tag: 0x0421, octets: 1 },
  ms_availability_status: { tag: 0x0422, octets: 1 },
  network_error_code: { tag: 0x0423 },
  message_payload: { tag: 0x0424 },
  delivery_failure_reason: { tag: 0x0425, octets: 1 },
  more_messages_to_send: { tag: 0x0426, octets: 1 },
  message_state: { tag: 0x0427, octets: 1 },
  ussd_service_op: { tag: 0x0501 },
  display_time: { tag: 0x1201, octets: 1 },
  sms_signal: { tag: 0x1203, octets: 2 },
  ms_validity: { tag: 0x1204, octets: 1 },
  alert_on_message_delivery: { tag: 0x130c },
  its_reply_type: { tag: 0x1380, octets: 1 },
  its_session_info: { tag: 0x1383 },
} as const satisfies Record<string, TlvFormat>;

export type TlvName = keyof typeof TLV;

const INTEGER_OCTETS: ReadonlyMap<number, number> = new Map(
  (Object.values(TLV) as TlvFormat[]).flatMap(({ tag, octets }) => (octets === undefined ? [] : [[tag, octets]])),
);

const NAME_BY_TAG: ReadonlyMap<number, TlvName> = new Map(
  (Object.keys(TLV) as TlvName[]).map((name) => [TLV[name].tag, name]),
);

/** The standard's name of a tag, or undefined for a vendor's. */
export function tlvName(tag: number): TlvName | undefined {
  return NAME_BY_TAG.get(tag);
}

/** False when the tag is an integer of the standard and the value has not that many octets. */
export function hasStandardLength(tlv: Tlv): boolean {
  const octets = INTEGER_OCTETS.get(tlv.tag);
  return octets === undefined || octets === tlv.value.length;
}

/** The first TLV of that tag; the standard lets each occur once. */
export function findTlv(tlvs: readonly Tlv[], tag: number): Tlv | undefined {
  for (const tlv of tlvs) if (tlv.tag === tag) return tlv;
  return undefined;
}

/** An integer TLV, or undefined when it is absent or its length is not the standard's: such a TLV is ignored. */
export function readIntegerTlv(tlvs: readonly Tlv[], name: TlvName): number | undefined {
  const tlv = findTlv(tlvs, TLV[name].tag);
  if (tlv === undefined || tlv.value.length === 0 || !hasStandardLength(tlv)) return undefined;
  return tlv.value.length > 4 ? undefined : tlv.value.readUIntBE(0, tlv.value.length);
}

/** A C-octet-string TLV as Latin-1 text, with or without its closing NUL: carriers forget it. */
export function readStringTlv(tlvs: readonly Tlv[], name: TlvName): string | undefined {
  const tlv = findTlv(tlvs, TLV[name].tag);
  if (tlv === undefined) return undefined;
  const end = tlv.value.indexOf(0);
  return tlv.value.toString('latin1', 0, end === -1 ? tlv.value.length : end);
}

/** Builds an integer TLV in the standard's length (one octet if the standard names none). */
export function integerTlv(name: TlvName, value: number): Tlv {
  const format: TlvFormat = TLV[name];
  const octets = Buffer.alloc(format.octets ?? 1);
  octets.writeUIntBE(value, 0, octets.length);
  return { tag: format.tag, value: octets };
}

/** Builds a C-octet-string TLV, closed by its NUL. */
export function stringTlv(name: TlvName, value: string): Tlv {
  return { tag: TLV[name].tag, value: Buffer.from(`${value}\0`, 'latin1') };
}

/** Builds a TLV of plain octets. */
export function octetsTlv(name: TlvName, value: Buffer): Tlv {
  return { tag: TLV[name].tag, value };
}
