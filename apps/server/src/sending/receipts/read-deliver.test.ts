import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { makePdu } from '@pahatid/smpp';
import { readLinkProfile } from '../link-profile.ts';
import { plainMsisdn, readDeliver } from './read-deliver.ts';

const now = Date.UTC(2026, 2, 10, 6);
const profile = readLinkProfile({ idBase: 'dec' });
const receipt = (text: string, tlvs: { tag: number; value: Buffer }[] = [], nowMs = now) => {
  const pdu = makePdu('deliver_sm', {
    esm_class: 4,
    source_addr: '09171234567',
    destination_addr: 'PAHATID',
    short_message: Buffer.from(text),
    tlvs,
  });
  const read = readDeliver(pdu, 'supplier', profile, nowMs);
  assert.equal(read.kind, 'receipt');
  return read.kind === 'receipt' ? read : assert.fail();
};
const text = 'id:0000000042 sub:001 dlvrd:001 submit date:2603101359 done date:2603101400 stat:DELIVRD err:000 text:Hi';

test('C12: the id of the TLV comes before that of the text', () => {
  const { candidates } = receipt(text, [{ tag: 0x001e, value: Buffer.from('777\0') }]).receipt;
  assert.equal(candidates[0], '777');
  assert.ok(candidates.includes('42'));
  assert.equal(receipt(text).receipt.candidates[0], '42');
});

test('C13: an unrecognized stat is unknown, and flagged as such; an intermediate one is not final', () => {
  const odd = receipt(text.replace('DELIVRD', 'MYSTERY'));
  assert.deepEqual([odd.isKnownStat, odd.receipt.clientStatus], [false, ClientStatus.Unknown]);
  assert.equal(receipt(text.replace('DELIVRD', 'ENROUTE')).receipt.final, false);
});

test('C16: TLVs of no use leave the text, of which all is read', () => {
  const { receipt: read } = receipt(text, [{ tag: 0x0427, value: Buffer.from([9, 9, 9]) }]);
  assert.equal(read.clientStatus, ClientStatus.Delivered);
  assert.equal(read.carrierCode, null);
  // 14:00 in Manila.
  assert.equal(read.reportMs, now);
  assert.equal(receipt(text.replace('err:000', 'err:21b').replace('DELIVRD', 'UNDELIV')).receipt.carrierCode, '21b');
});

test('an implausible date is replaced by the time of arrival', () => {
  assert.equal(receipt(text.replace('done date:2603101400', 'done date:2001010000')).receipt.reportMs, null);
});

test('a date without seconds is never before a hand-over of that minute, nor after an arrival', () => {
  const reportAt = (time: string, arrival: string): string => {
    const { reportMs } = receipt(text.replace('2603101400', time), [], Date.parse(arrival)).receipt;
    return new Date(reportMs ?? Number.NaN).toISOString();
  };
  assert.equal(reportAt('2603101400', '2026-03-10T06:00:27.250Z'), '2026-03-10T06:00:27.250Z');
  assert.equal(reportAt('2603101400', '2026-03-10T06:02:00.000Z'), '2026-03-10T06:00:59.000Z');
  assert.equal(reportAt('260310140012', '2026-03-10T06:00:27.250Z'), '2026-03-10T06:00:12.000Z');
});

test('a phone is the same with its country, without it, and with a trunk zero', () => {
  for (const address of ['+639171234567', '639171234567', '09171234567', '9171234567'])
    assert.equal(plainMsisdn(address), '639171234567');
  assert.equal(plainMsisdn('2151'), '2151');
});

test('a text comes without the NULs that no column holds, in every alphabet', () => {
  const utf16 = (content: string) => Buffer.from(content, 'utf16le').swap16();
  for (const [data_coding, octets, content] of [
    [0x08, utf16('Да 👍\0'), 'Да 👍'],
    [0x03, Buffer.from('S\xed\0', 'latin1'), 'Sí'],
    [0x01, Buffer.from('yes\0\0'), 'yes'],
    [0x04, Buffer.from('\0bin'), 'bin'],
  ] as const) {
    const pdu = makePdu('deliver_sm', {
      source_addr: '09171234567',
      destination_addr: 'SHOP',
      data_coding,
      short_message: octets,
    });
    const read = readDeliver(pdu, 'supplier', profile, now);
    assert.deepEqual(read.kind === 'text' && [read.text.msisdn, read.text.content, read.text.part], [
      '639171234567',
      content,
      null,
    ]);
  }
});

test('a part of a text is reported with its position; the only part of one is a full text', () => {
  const read = (header: string) =>
    readDeliver(
      makePdu('deliver_sm', {
        source_addr: '639171234567',
        destination_addr: 'SHOP',
        esm_class: 0x40,
        short_message: Buffer.concat([Buffer.from(header, 'hex'), Buffer.from('Hi')]),
      }),
      'supplier',
      profile,
      now,
    );
  const partOf = (header: string) => {
    const delivered = read(header);
    return delivered.kind === 'text' && [delivered.text.content, delivered.text.part];
  };
  assert.deepEqual(partOf('050003070302'), ['Hi', { reference: 7, referenceBits: 8, total: 3, sequence: 2 }]);
  assert.deepEqual(partOf('050003070101'), ['Hi', null]);
});
