import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkValue, type ValueVerdict } from './links.ts';

const VALUES: Record<ValueVerdict, string[]> = {
  plain: [
    '',
    'Juan',
    'Juan dela Cruz Jr.',
    'P 1,250.00',
    '12.31.2026',
    '3:30 p.m.',
    '9.am',
    'St.Luke',
    'No.5, Blk.7',
    '您好。谢谢',
    'juan@shop.com',
    'juan.co@shop.com',
    '10.0.0.1',
    'v1.2.3',
    'e.g. tea',
    'A.B.C.',
    'Sta. Ana',
    'file.',
    '.hidden',
    'wait...what',
    'N/A',
    'JUAN D. CO',
  ],
  ambiguous: ['Dr.Co', 'Juan D.Co', 'P.O.Box 12', 'P.O.BOX 12', 'Ms.Sy', 'J.D.Uy', 'Mr.Ong', 'Atty.So, Makati'],
  link: [
    'bit.ly/x',
    'bit.ly',
    'Bit.Ly',
    'BIT.LY/ABC',
    'T.Co/abc',
    'www.anything',
    'http://x',
    'see https://shop.example/a',
    'shop.com.ph',
    'go shop.com now',
    'shop.com,',
    'x@y shop.com',
    '10.0.0.1/a',
    '10.0.0.1:8080',
    'baidu。com',
    'baidu｡com',
    'ｂｉｔ．ｌｙ',
    'bit\u200b.ly',
    'b\u00adit.ly',
    'пример.рф',
    '腾讯.公司',
    '中文。com',
    'dr.co',
    'xn--fiqs8s.xn--fiqs8s',
  ],
};

for (const [verdict, values] of Object.entries(VALUES)) {
  for (const value of values) {
    test(`the value ${JSON.stringify(value)} is judged ${verdict}`, () => assert.equal(checkValue(value), verdict));
  }
}
