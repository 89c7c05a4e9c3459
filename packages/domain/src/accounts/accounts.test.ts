import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAccount, isEmail } from './check-address.ts';
import { checkPassword, checkPhonePassword, type PasswordStrength, ratePassword } from './check-password.ts';

test('the e-mail flow asks for eight characters of four kinds and names each that is missing', () => {
  assert.deepEqual(checkPassword('Abcdef1!'), []);
  assert.deepEqual(checkPassword('Pass word9'), []);
  assert.deepEqual(checkPassword('Abcde1!'), ['TOO_SHORT']);
  assert.deepEqual(checkPassword('abcdefg1!'), ['NO_UPPERCASE']);
  assert.deepEqual(checkPassword('ABCDEFG1!'), ['NO_LOWERCASE']);
  assert.deepEqual(checkPassword('Abcdefgh!'), ['NO_NUMBER']);
  assert.deepEqual(checkPassword('Abcdefg1'), ['NO_SPECIAL']);
  assert.deepEqual(checkPassword(''), ['TOO_SHORT', 'NO_UPPERCASE', 'NO_LOWERCASE', 'NO_NUMBER', 'NO_SPECIAL']);
  assert.deepEqual(checkPassword(`Aa1!${'x'.repeat(197)}`), ['TOO_LONG']);
});

test('the phone flow asks for 6 to 20 characters', () => {
  assert.deepEqual(checkPhonePassword('12345'), ['LENGTH']);
  assert.deepEqual(checkPhonePassword('123456'), []);
  assert.deepEqual(checkPhonePassword('x'.repeat(20)), []);
  assert.deepEqual(checkPhonePassword('x'.repeat(21)), ['LENGTH']);
});

const STRENGTHS: Array<[password: string, strength: PasswordStrength]> = [
  ['', 'Weak'],
  ['Ab1!', 'Weak'],
  ['Password1!', 'Weak'],
  ['Aa1!Aa1!Aa1!', 'Weak'],
  ['ricefield', 'Weak'],
  ['Ricefield7', 'Medium'],
  ['Rf7!kxm2', 'Medium'],
  ['green rice field road', 'Strong'],
  ['Rf7!kxm2Qz', 'Strong'],
];
for (const [password, strength] of STRENGTHS) {
  test(`rates ${JSON.stringify(password)} ${strength}`, () => assert.equal(ratePassword(password), strength));
}

test('distinguishes an e-mail address and an account name from other text', () => {
  for (const good of ['a@b.ph', 'first.last+tag@mail.example.com', "o'neil@x-y.co"]) assert.ok(isEmail(good), good);
  for (const bad of [
    '',
    'a',
    'a@b',
    '@b.ph',
    'a@b..ph',
    'a..b@c.ph',
    '.a@b.ph',
    'a.@b.ph',
    'a b@c.ph',
    'a@-b.ph',
    'a@b.ph\n',
  ])
    assert.ok(!isEmail(bad), bad);
  assert.ok(!isEmail(`${'a'.repeat(60)}@${'b.'.repeat(100)}ph`));
  for (const good of ['demo', 'j.cruz-2', 'A_1']) assert.ok(isAccount(good), good);
  for (const bad of ['', 'ab', '-abc', 'a b c', 'x'.repeat(33), 'señor', 'demo\n']) assert.ok(!isAccount(bad), bad);
});
