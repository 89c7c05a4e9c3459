import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDomainName } from './domain-name.ts';
import { dossierStep, dueReminder, isDossierOpen } from './dossier-states.ts';

test('a domain is read from what people paste, and nothing else is one', () => {
  for (const [typed, domain] of [
    ['sarisari.ph', 'sarisari.ph'],
    ['  HTTPS://www.SariSari.ph/sale?x=1 ', 'sarisari.ph'],
    ['shop.sarisari.com.ph.', 'shop.sarisari.com.ph'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['niño.ph', 'xn--nio-8ma.ph'],
  ] as const)
    assert.equal(readDomainName(typed), domain, typed);
  for (const typed of [
    '',
    'sarisari',
    '127.0.0.1',
    '[::1]',
    'a b.ph',
    'ftp://a.ph',
    'u:p@a.ph',
    'a.ph:8080',
    'a..ph',
    '-a.ph',
    'a.1',
  ])
    assert.equal(readDomainName(typed), null, typed);
});

test('each reminder is due from its day on, and none after the end', () => {
  assert.deepEqual(
    [31, 30, 8, 7, 0, -1].map((days) => dueReminder(days)),
    [null, 30, 30, 7, 7, null],
  );
});

test('a dossier is changed only while neither staff nor the carrier read it', () => {
  assert.deepEqual((['draft', 'submitted', 'sent', 'approved', 'returned', 'expired'] as const).filter(isDossierOpen), [
    'draft',
    'approved',
    'returned',
    'expired',
  ]);
  assert.deepEqual(dossierStep('approve').from, ['sent']);
});
