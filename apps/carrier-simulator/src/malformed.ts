/**
 * PDUs that no carrier should send and some do, written octet by octet. A receiver must survive those that leave the
 * stream whole; after the others it can only close the connection.
 */
export type Malformed = {
  name: string;
  says: string;
  hex: string;
  /** Whether the start of the next PDU can still be determined. */
  leavesStreamWhole: boolean;
};

/** command_id, status and sequence number of a deliver_sm; the numbers are far from those of real ones. */
const DELIVER = '00000005 00000000 7ffffff0';
/** service_type to destination_addr: from 639170000001 to 2929. */
const ADDRESSES = '00 0101 36333931373030303030303100 0000 3239323900';
/** esm_class to sm_default_msg_id. */
const FLAGS = '00 00 00 00 00 00 00 00 00';

function whole(name: string, says: string, rest: string): Malformed {
  const octets = rest.replaceAll(' ', '').length / 2 + 4;
  return { name, says, hex: `${octets.toString(16).padStart(8, '0')} ${rest}`, leavesStreamWhole: true };
}

function breaking(name: string, says: string, hex: string): Malformed {
  return { name, says, hex, leavesStreamWhole: false };
}

export const MALFORMED: readonly Malformed[] = [
  whole('unknown_request', 'a command nobody knows', '00000110 00000000 7ffffff0 abcd'),
  whole('unknown_response', 'a response nobody knows', '80000110 00000000 7ffffff0'),
  whole('unasked_response', 'submit_sm_resp to nothing', '80000004 00000000 7ffffff0 343200'),
  whole('unterminated_id', 'submit_sm_resp whose message_id has no NUL', '80000004 00000000 7ffffff0 3432'),
  whole('no_body', 'deliver_sm of a header only', DELIVER),
  whole('fields_missing', 'deliver_sm that ends after source_addr_npi', `${DELIVER} 00 0101`),
  whole('unterminated_address', 'deliver_sm whose source_addr has no NUL', `${DELIVER} 00 0101 363339`),
  whole(
    'long_address',
    'deliver_sm with 24 characters of source_addr',
    `${DELIVER} 00 0101 ${'36'.repeat(24)}00 0000 3100 ${FLAGS} 00`,
  ),
  whole('no_sm_length', 'deliver_sm that ends before sm_length', `${DELIVER} ${ADDRESSES} ${FLAGS}`),
  whole('sm_length_beyond', 'sm_length 9 with 3 octets left', `${DELIVER} ${ADDRESSES} ${FLAGS} 09 616263`),
  whole('sm_length_255', 'short_message of 255 octets', `${DELIVER} ${ADDRESSES} ${FLAGS} ff ${'78'.repeat(255)}`),
  whole(
    'tlv_beyond',
    'a TLV of 65 octets with 5 left',
    `${DELIVER} ${ADDRESSES} ${FLAGS} 02 4869 001e 0041 3432343200`,
  ),
  whole('tlv_cut', 'half a TLV header', `${DELIVER} ${ADDRESSES} ${FLAGS} 02 4869 0427`),
  whole('tlv_integer_length', 'message_state of two octets', `${DELIVER} ${ADDRESSES} ${FLAGS} 02 4869 0427 0002 0002`),
  whole(
    'tlv_twice',
    'receipted_message_id twice',
    `${DELIVER} ${ADDRESSES} ${FLAGS} 02 4869 001e 0003 343200 001e 0003 343300`,
  ),
  whole(
    'udh_beyond',
    'a user data header longer than the message',
    `${DELIVER} ${ADDRESSES} 40 00 00 00 00 00 00 00 00 03 ff0003`,
  ),
  whole(
    'receipt_of_nothing',
    'a receipt of one date',
    `${DELIVER} ${ADDRESSES} 04 00 00 00 00 00 00 00 00 16 7375626d697420646174653a32363131323130383330`,
  ),
  whole('body_of_enquire_link', 'enquire_link with a body', '00000015 00000000 7ffffff0 00000000'),
  whole('sequence_ffffffff', 'enquire_link with a sequence number out of range', '00000015 00000000 ffffffff'),
  whole('nack_of_nothing', 'generic_nack to nothing', '80000000 00000003 00000000'),
  breaking('length_0', 'command_length 0', '00000000 00000005 00000000 00000001'),
  breaking('length_15', 'command_length 15', '0000000f 00000005 00000000 000001'),
  breaking('length_huge', 'command_length of 4 GB', 'ffffffff 00000005 00000000 00000001'),
  breaking('no_smpp', 'HTTP', '485454502f312e3120323030204f4b0d0a0d0a'),
];

const BY_NAME: ReadonlyMap<unknown, Malformed> = new Map(MALFORMED.map((each) => [each.name, each]));
const HARMLESS = MALFORMED.filter(({ leavesStreamWhole }) => leavesStreamWhole);

export function isMalformedName(name: unknown): boolean {
  return BY_NAME.has(name);
}

/** The octets of that name; of `any`, those that `chance` (0…1) picks of all that leave the stream whole. */
export function malformedOctets(name: string, chance: number): Buffer {
  const found = name === 'any' ? HARMLESS[Math.floor(chance * HARMLESS.length)] : BY_NAME.get(name);
  if (found === undefined) throw new Error(`no such malformed PDU: ${name}`);
  return Buffer.from(found.hex.replaceAll(' ', ''), 'hex');
}
