import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePdu } from '../codec/make-pdu.ts';
import { integerTlv, octetsTlv, stringTlv } from '../codec/tlvs.ts';
import { buildReceiptText, buildReceiptTlvs } from './build-receipt.ts';
import { decimalToHexId, hexToDecimalId, normaliseMessageId } from './message-ids.ts';
import { outcomeOfStat, stateOfStat, statOfState } from './message-states.ts';
import { isReceipt, parseReceiptText, readReceipt } from './parse-receipt.ts';
import { formatReceiptDate, parseReceiptDate } from './receipt-dates.ts';

const APPENDIX_B =
  'id:0059113978 sub:001 dlvrd:001 submit date:2611210830 done date:2611210831 stat:DELIVRD err:000 text:Hello there';

test('a receipt in the order of Appendix B', () => {
  assert.deepEqual(parseReceiptText(APPENDIX_B), {
    id: '0059113978',
    sub: 1,
    dlvrd: 1,
    submitDate: '2026-11-21T08:30',
    doneDate: '2026-11-21T08:31',
    stat: 'DELIVRD',
    err: '000',
    text: 'Hello there',
  });
});

test('fields can be in any order, the text need not be last', () => {
  const receipt = parseReceiptText('sub:001 id:9e-1 err:000 text:hi there stat:UNDELIV done date:261121083015');
  assert.deepEqual(
    [receipt.id, receipt.stat, receipt.text, receipt.doneDate],
    ['9e-1', 'UNDELIV', 'hi there', '2026-11-21T08:30:15'],
  );
});

test('labels inside the quoted text do not overwrite the fields', () => {
  const receipt = parseReceiptText(`${APPENDIX_B} id:7 stat:UNDELIV`);
  assert.deepEqual(
    [receipt.id, receipt.stat, receipt.text],
    ['0059113978', 'DELIVRD', 'Hello there id:7 stat:UNDELIV'],
  );
});

test('letters with a longer lower case do not shift the fields after them', () => {
  const receipt = parseReceiptText('text:İİİ stat:DELIVRD id:42');
  assert.deepEqual([receipt.text, receipt.stat, receipt.id], ['İİİ', 'DELIVRD', '42']);
});

test('fields may be missing, and labels in any case', () => {
  const receipt = parseReceiptText('ID:A1 STAT:delivrd ERR:21b Text:x');
  assert.deepEqual([receipt.id, receipt.stat, receipt.err, receipt.text], ['A1', 'DELIVRD', '21b', 'x']);
  assert.deepEqual([receipt.sub, receipt.submitDate], [undefined, undefined]);
});

test('text without its label, NULs behind it and an empty one', () => {
  assert.equal(parseReceiptText('id:1 stat:DELIVRD err:000 testing').err, '000');
  assert.equal(parseReceiptText('id:1 stat:DELIVRD text:abc\0\0').text, 'abc');
  assert.equal(parseReceiptText('id:1\x002 stat:DELIVRD').id, '12');
  assert.equal(parseReceiptText('id:1 stat:DELIVRD text:').text, '');
});

test('dates have 10, 12 or 14 digits, the 12 with seconds or with the century', () => {
  assert.equal(parseReceiptDate('2611210830'), '2026-11-21T08:30');
  assert.equal(parseReceiptDate('261121083015'), '2026-11-21T08:30:15');
  assert.equal(parseReceiptDate('202611210830'), '2026-11-21T08:30');
  assert.equal(parseReceiptDate('20261121083015'), '2026-11-21T08:30:15');
  for (const none of ['', '0', '2613210830', '26112108', 'abcdefghij']) assert.equal(parseReceiptDate(none), undefined);
});

test('a date is written in its format, in the requested zone, and read back', () => {
  const at = new Date('2026-12-31T16:05:09Z');
  const written = (['YYMMDDhhmm', 'YYMMDDhhmmss', 'YYYYMMDDhhmm', 'YYYYMMDDhhmmss'] as const).map((format) =>
    formatReceiptDate(at, format, 480),
  );
  assert.deepEqual(written, ['2701010005', '270101000509', '202701010005', '20270101000509']);
  assert.equal(parseReceiptDate(written[3] ?? ''), '2027-01-01T00:05:09');
  assert.equal(formatReceiptDate(at, 'YYMMDDhhmm', -300), '2612311105');
});

test('"362d9701 2" is an id and a state', () => {
  const receipt = parseReceiptText('362d9701 2');
  assert.deepEqual([receipt.id, receipt.stat], ['362d9701', 'DELIVRD']);
  assert.equal(parseReceiptText('just words').id, undefined);
});

test('TLVs alone make a receipt, in data_sm and deliver_sm', () => {
  const tlvs = [stringTlv('receipted_message_id', '42'), integerTlv('message_state', 5)];
  for (const pdu of [makePdu('deliver_sm', { esm_class: 4, tlvs }), makePdu('data_sm', { esm_class: 4, tlvs })]) {
    assert.equal(isReceipt(pdu), true);
    const receipt = readReceipt(pdu);
    assert.deepEqual([receipt?.id, receipt?.stat, receipt?.tlvId, receipt?.messageState], ['42', 'UNDELIV', '42', 5]);
  }
});

test('the text may come in message_payload, and its id may be written otherwise than the TLV has it', () => {
  const tlvs = [stringTlv('receipted_message_id', '38601fa'), octetsTlv('message_payload', Buffer.from(APPENDIX_B))];
  const receipt = readReceipt(makePdu('deliver_sm', { esm_class: 4, tlvs }));
  assert.deepEqual([receipt?.id, receipt?.tlvId], ['0059113978', '38601fa']);
  assert.equal(hexToDecimalId('38601fa'), normaliseMessageId('0059113978'));
  assert.equal(decimalToHexId('0059113978'), '38601fa');
});

test('network_error_code is three octets or three digits', () => {
  const read = (value: Buffer) =>
    readReceipt(
      makePdu('deliver_sm', {
        esm_class: 4,
        short_message: Buffer.from(APPENDIX_B),
        tlvs: [octetsTlv('network_error_code', value)],
      }),
    )?.networkError;
  assert.deepEqual(read(Buffer.from('030102', 'hex')), { networkType: 3, code: 0x102 });
  assert.deepEqual(read(Buffer.from('012')), { networkType: 0, code: 12 });
  assert.equal(read(Buffer.from('03')), undefined);
});

test('octets of another alphabet in the quoted text leave the fields readable', () => {
  const short_message = Buffer.concat([Buffer.from(APPENDIX_B), Buffer.from([0x81, 0x8c])]);
  assert.equal(readReceipt(makePdu('deliver_sm', { esm_class: 4, short_message }))?.stat, 'DELIVRD');
  assert.equal(readReceipt(makePdu('deliver_sm', { esm_class: 4, short_message }), 'gsm7')?.id, '0059113978');
});

test('an inbound message is no receipt', () => {
  const pdu = makePdu('deliver_sm', { short_message: Buffer.from('Salamat po') });
  assert.equal(isReceipt(pdu), false);
  assert.equal(readReceipt(pdu), undefined);
});

test('each stat has its outcome, an unrecognized one has none', () => {
  const outcomes = ['DELIVRD', 'UNDELIV', 'EXPIRED', 'UNKNOWN', 'ACCEPTD', 'BUFFRED', 'WHATEVER'].map((stat) =>
    outcomeOfStat(stat),
  );
  assert.deepEqual(outcomes, ['delivered', 'failed', 'failed', 'unknown', 'not_final', 'not_final', 'unrecognised']);
  assert.equal(outcomeOfStat('ACCEPTD', true), 'delivered');
  for (let state = 1; state <= 8; state++) assert.equal(stateOfStat(statOfState(state) ?? ''), state);
  // Values that no message_state is named after get one with the same meaning.
  assert.deepEqual(['FAILED', 'NOCRED', 'BUFFRED', 'WHATEVER'].map(stateOfStat), [5, 5, 1, 7]);
});

test('a receipt built here is read back, in ASCII', () => {
  const at = new Date('2026-11-21T00:30:15Z');
  const content = {
    id: '77',
    sub: 1,
    dlvrd: 0,
    submittedAt: at,
    doneAt: at,
    stat: 'UNDELIV',
    err: '069',
    text: 'Ñandú na mahabang-mahaba',
  };
  const text = buildReceiptText(content, { offsetMinutes: 480 });
  assert.equal(
    text,
    'id:77 sub:001 dlvrd:000 submit date:2611210830 done date:2611210830 stat:UNDELIV err:069 text:?and? na mahabang-ma',
  );
  const receipt = readReceipt(
    makePdu('deliver_sm', {
      esm_class: 4,
      short_message: Buffer.from(text),
      tlvs: buildReceiptTlvs('77', 'UNDELIV', 69),
    }),
  );
  assert.deepEqual([receipt?.id, receipt?.tlvId, receipt?.messageState], ['77', '77', 5]);
  assert.deepEqual(receipt?.networkError, { networkType: 3, code: 69 });
});
