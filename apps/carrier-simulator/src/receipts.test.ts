import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hexToDecimalId, normaliseMessageId, readUserData } from '@pahatid/smpp';
import type { IdFormat, ReceiptProfile } from './profiles.ts';
import { boundCustomer, control, startQuick } from './test-customer.ts';

type Manner = {
  says: string;
  receipt: Partial<ReceiptProfile>;
  idFormat?: IdFormat;
  /** Matches the whole text of the receipt; `<id>` stands for the id in the response. */
  text: RegExp;
  /** The last digits of the destination; default UNDELIV. */
  suffix?: string;
  stat?: string;
};

const DATES = String.raw`submit date:\d{10} done date:\d{10}`;

/** One for every manner in which receipts of real carriers were met. */
const MANNERS: readonly Manner[] = [
  {
    says: 'as Appendix B',
    receipt: {},
    text: RegExp(`^id:<id> sub:001 dlvrd:000 ${DATES} stat:UNDELIV err:001 text:Hi$`),
  },
  { says: 'Text: in capitals', receipt: { quote: 'Text:' }, text: /err:001 Text:Hi$/ },
  {
    says: 'a UUID and dates with seconds',
    receipt: { dateFormat: 'YYMMDDhhmmss' },
    idFormat: 'uuid',
    text: /^id:<id> .*submit date:\d{12} done date:\d{12} /,
  },
  {
    says: 'another order, and text: not last',
    receipt: { fields: ['sub', 'id', 'err', 'dlvrd', 'done date', 'submit date', 'text', 'stat'] },
    text: /^sub:001 id:<id> err:001 dlvrd:000 done date:\d+ submit date:\d+ text:Hi stat:UNDELIV$/,
  },
  {
    says: 'without counts and text, 32 hexadecimal digits, dates of 14, err of one',
    receipt: {
      fields: ['id', 'submit date', 'done date', 'stat', 'err'],
      dateFormat: 'YYYYMMDDhhmmss',
      numbers: 'bare',
    },
    idFormat: 'hex32',
    text: /^id:<id> submit date:20\d{12} done date:20\d{12} stat:UNDELIV err:1$/,
  },
  {
    says: 'an err that is no number',
    receipt: {},
    suffix: '9999908',
    stat: 'FAILED',
    text: /stat:FAILED err:21b text/,
  },
  { says: 'dates alone, the rest in TLVs', receipt: { fields: ['submit date'] }, text: /^submit date:\d{10}$/ },
  { says: 'the state alone', receipt: { fields: ['stat'] }, text: /^stat:UNDELIV$/ },
  { says: 'the id alone', receipt: { fields: ['id'] }, text: /^id:<id>$/ },
  { says: 'a decimal id without leading zeros', receipt: { textId: 'decimal', tlvs: [] }, text: /^id:[1-9]\d+ / },
  {
    says: 'decimal in the text, hexadecimal in the TLV and the response',
    receipt: { textId: 'decimal10', tlvId: 'hex' },
    idFormat: 'hex',
    text: /^id:\d{10} /,
  },
  {
    says: 'dates of 12 digits with the century',
    receipt: { dateFormat: 'YYYYMMDDhhmm', tlvs: [] },
    text: /submit date:20\d{10} /,
  },
  {
    says: 'counts without leading zeros, octets of another alphabet',
    receipt: { numbers: 'bare', foreignQuote: true },
    text: /sub:1 dlvrd:0 .* err:1 text:Hi\u0081\u008c\u0084$/,
  },
  { says: 'an id and a state', receipt: { text: 'short', tlvs: [] }, idFormat: 'hex', text: /^<id> 5$/ },
  { says: 'text without its label', receipt: { quote: 'bare', tlvs: [] }, text: /err:001 Hi$/ },
  { says: 'TLVs alone', receipt: { text: 'none' }, text: /^$/ },
  { says: 'in data_sm', receipt: { pdu: 'data_sm' }, text: /^id:<id> / },
  {
    says: 'in message_payload, a NUL behind it',
    receipt: { textIn: 'message_payload', trailingNul: true },
    text: /text:Hi\0$/,
  },
  { says: 'network_error_code in three digits', receipt: { networkError: 'ascii' }, text: /^id:<id> / },
  { says: 'a TLV longer than the PDU', receipt: { brokenTlv: true }, text: /^id:<id> / },
  {
    says: 'a state that is not final, then one that is',
    receipt: {},
    suffix: '9999919',
    stat: 'BUFFRED',
    text: /stat:BUFFRED/,
  },
];

for (const { says, receipt, idFormat = 'decimal10', text, suffix = '9999901', stat = 'UNDELIV' } of MANNERS) {
  test(`M3: ${says}: enabled over HTTP, and read with its id and state`, async (t) => {
    const simulator = await startQuick(t);
    await control(simulator.controlPort, 'PATCH /carriers/globe', { receipt, idFormat });
    const customer = await boundCustomer(t, simulator.port);
    customer.submit(`63917${suffix}`);
    await customer.waitFor('response');
    await customer.waitFor('receipt');
    const id = customer.of('response')[0]?.messageId ?? '';
    const { receipt: got, pdu } = customer.of('receipt')[0]!;
    assert.match(readUserData(pdu).octets.toString('latin1').replace(id, '<id>'), text);
    assert.equal(pdu.command, receipt.pdu ?? 'deliver_sm');
    assert.equal(got.stat, stat);
    // If the number has two spellings, the text's may be decimal although the others are not.
    const asGiven = (spelled: string) => (idFormat === 'hex' ? hexToDecimalId(spelled) : normaliseMessageId(spelled));
    const inText = receipt.textId === 'decimal10' ? normaliseMessageId : asGiven;
    assert.equal(inText(got.id ?? ''), asGiven(id));
    if (got.tlvId !== undefined) assert.equal(asGiven(got.tlvId), asGiven(id));
  });
}

test('data_coding 0 uses the carrier alphabet in the journal and the receipt', async (t) => {
  const simulator = await startQuick(t, { all: { defaultAlphabet: 'latin1' } });
  const customer = await boundCustomer(t, simulator.port);
  customer.submit('639170000001', '', { short_message: Buffer.from('Ang ni\u00f1o', 'latin1') });
  await customer.waitFor('receipt');
  assert.equal([...simulator.journal.entries()][0]?.text, 'Ang ni\u00f1o');
  assert.equal(customer.of('receipt')[0]?.receipt.text, 'Ang ni?o');
});
