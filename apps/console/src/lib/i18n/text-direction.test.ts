import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchor, directionOfText, isolate, keepGroups, listText } from './text-direction.ts';

test('the first letter decides the direction of a text, whatever precedes it', () => {
  assert.equal(directionOfText('Hi Ana, شكرا'), 'ltr');
  assert.equal(directionOfText('{1} مرحبا Ana'), 'rtl');
  assert.equal(directionOfText('2026: שלום'), 'rtl');
  assert.equal(directionOfText('您好'), 'ltr');
  assert.equal(directionOfText('+63 917 ₱0.35 {1}'), undefined);
  assert.equal(directionOfText(''), undefined);
});

test('in a left-to-right sentence only right-to-left values are isolated', () => {
  const params = { name: 'متجر', plain: 'Store', amount: '₱0.35', count: 3, none: null };
  assert.deepEqual(isolate(params), { ...params, name: '\u2068متجر\u2069' });
});

test('in a right-to-left sentence everything but bare numbers is isolated', () => {
  assert.deepEqual(isolate({ name: 'Store', amount: '₱0.35', share: '12%', bare: '1,234.5', count: 3 }, 'rtl'), {
    name: '\u2068Store\u2069',
    amount: '\u2068₱0.35\u2069',
    share: '\u206812%\u2069',
    bare: '1,234.5',
    count: 3,
  });
});

test('groups of digits keep their order, and single numbers are left alone', () => {
  assert.equal(keepGroups('إلى +63 917 123 4567 الآن'), 'إلى \u2066+63 917 123 4567\u2069 الآن');
  assert.equal(keepGroups('من 20 إلى 30'), 'من 20 إلى 30');
  assert.equal(keepGroups('0917 123 4567'), '\u20660917 123 4567\u2069');
  assert.equal(keepGroups('الفلبين +63'), 'الفلبين \u2066+63\u2069');
  assert.equal(keepGroups('إلى \u2068+63 917\u2069'), 'إلى \u2068+63 917\u2069', 'what stands apart already');
});

test('a number does not move to the side of a Latin word', () => {
  assert.equal(keepGroups('14 ماسحات، 12 HEAD، 0 مبكرة'), '14 ماسحات، 12 \u2066HEAD\u2069، 0 مبكرة');
  for (const text of ['سجلات SMS', 'بروتوكول SMPP 3.4', 'HTTP وSMPP', 'ملف csv أو xls أو xlsx، حتى 200'])
    assert.equal(keepGroups(text), text, text);
});

test('a list is parted as its language does, and each part keeps its order from right to left', () => {
  const carriers = ['Globe', 'DITO'];
  assert.equal(listText(carriers, 'en-US'), 'Globe, DITO');
  assert.equal(listText(carriers, 'zh-CN'), 'Globe、DITO');
  assert.equal(listText(carriers, 'ja-JP'), 'Globe、DITO');
  assert.equal(listText(carriers, 'ar-EG'), '\u2068Globe\u2069، \u2068DITO\u2069');
  assert.equal(listText(carriers, 'he-IL'), '\u2068Globe\u2069, \u2068DITO\u2069');
  assert.equal(listText(['5 في اليوم', '1 في الساعة'], 'ar-EG'), '5 في اليوم، 1 في الساعة');
  assert.equal(listText([], 'fa-IR'), '');
});

test('what is made of values alone still runs from right to left', () => {
  assert.equal(anchor('\u2068رموز\u2069: \u2068Hold\u2069'), '\u200F\u2068رموز\u2069: \u2068Hold\u2069');
  for (const text of ['حتى \u2068₱5\u2069', 'HTTP', '12 / 20']) assert.equal(anchor(text), text, text);
});
