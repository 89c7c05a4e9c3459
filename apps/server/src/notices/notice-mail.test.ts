import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyNotice } from './any-notice.ts';
import { writeNoticeMail } from './notice-mail.ts';

const customerId = '00000000-0000-7000-8000-000000000001';
const leadOf = (notice: AnyNotice): string =>
  writeNoticeMail(notice, { locale: 'en-US' }, 'https://pahatid.test').text.split('\n', 1)[0] ?? '';

const ended = (total: number): AnyNotice => ({
  kind: 'taskEnded',
  customerId,
  params: { taskId: customerId, taskName: 'Sale', taskStatus: 6, total, success: total, failed: 0, reason: null },
});
const exported = (rows: number): AnyNotice => ({
  kind: 'exportReady',
  customerId,
  params: { exportId: '1', of: 'records', fileName: 'records.csv', rows, path: '/api/v1/exports/1/file' },
});
const refused = (value: number): AnyNotice => ({
  kind: 'thresholdAlert',
  customerId,
  params: {
    thresholdId: customerId,
    of: 'frequency',
    event: 'refused',
    measure: 'messages',
    period: null,
    value,
    bound: 1,
    appId: null,
    paused: 0,
  } as const,
});

test('a mail speaks of one as of one, and of many as of many', () => {
  assert.match(leadOf(ended(1)), /is completed: 1 recipient, 1 accepted/);
  assert.match(leadOf(ended(2_000)), /is completed: 2,000 recipients, 2,000 accepted/);
  assert.match(leadOf(exported(1)), /is ready: 1 row\. /);
  assert.match(leadOf(exported(0)), /is ready: 0 rows\. /);
  assert.match(leadOf(refused(1)), /, 1 message was blocked\.$/);
  assert.match(leadOf(refused(1_234)), /, 1,234 messages were blocked\.$/);
});

const alert = (params: Partial<Extract<AnyNotice, { kind: 'thresholdAlert' }>['params']>): AnyNotice => ({
  kind: 'thresholdAlert',
  customerId,
  params: {
    thresholdId: customerId,
    of: 'quality',
    event: 'alert',
    measure: 'delivered',
    period: null,
    windowMinutes: 60,
    value: 4_120,
    bound: 8_000,
    amount: 1_000,
    appId: 'shop01',
    appName: 'Shop',
    areaCode: 'PH',
    carrier: 'Globe',
    smsType: 3,
    paused: 0,
    ...params,
  } as const,
});

test('the mail of pumping names the application, what was unusual, and what is usual', () => {
  const mail = (params: Parameters<typeof alert>[0], locale = 'en-US') =>
    writeNoticeMail(
      alert({ of: 'pumping', measure: null, appId: null, appName: null, ...params }),
      { locale },
      'https://pahatid.test',
    );
  const facts = { appId: 'shop01', appName: 'Shop', signal: 'prefix', key: '639171', usual: 12 } as const;
  const burst = mail({ value: 480, bound: 100, event: 'slow', pumping: facts });
  assert.equal(burst.subject, 'Possible SMS pumping: application Shop');
  assert.match(
    burst.text,
    /In 15 minutes: 480 messages to numbers beginning with 639171, usually 12\. The application is slowed\./,
  );
  assert.match(
    mail({ value: 480, pumping: facts }, 'zh-CN').text,
    /最近 15 分钟：发往 639171 开头号码的短信 480 条，平时 12。/,
  );
  const lead = (value: number, more: object) =>
    mail({ value, pumping: { ...facts, ...more } }).text.split('\n', 1)[0] ?? '';
  assert.match(
    lead(900, { signal: 'country', key: 'VN', usual: null }),
    /900 messages to Vietnam, from a new application\.$/,
  );
  assert.match(lead(86, { signal: 'sequence' }), /86 consecutive numbers beginning with 639171, usually 12\.$/);
  assert.match(lead(120, { signal: 'repeats', key: '' }), /120 messages to repeated numbers, usually 12\.$/);
  assert.match(lead(2_050, { signal: 'conversion', key: '', usual: 8_000 }), /20\.5% of codes entered, usually 80%\.$/);
});

test('the mail of a threshold names the rule, what it applies to, and the value', () => {
  const mail = (params: Parameters<typeof alert>[0], locale = 'en-US') =>
    writeNoticeMail(alert(params), { locale }, 'https://pahatid.test');
  assert.equal(mail({}).subject, 'Delivery rate below 80%: application Shop, PH, Globe, marketing');
  assert.match(leadOf(alert({})), /\. 41\.2% of 1,000 messages in the last hour\./);
  assert.match(
    mail({}, 'zh-CN').text,
    /^送达率低于 80%（应用“Shop”、PH、Globe、营销）。最近 1 小时为 41\.2%（1,000 条短信）。/,
  );
  const everything = { appId: null, appName: null, areaCode: null, carrier: null, smsType: null } as const;
  assert.match(
    mail({ ...everything, windowMinutes: 15, event: 'pause', paused: 2 }).subject,
    /^Delivery rate below 80%, sending paused: all messages$/,
  );
  assert.match(
    leadOf(alert({ windowMinutes: 15, event: 'pause', paused: 2 })),
    /in the last 15 minutes\. 2 tasks were paused\.$/,
  );
  const volume = {
    of: 'volume',
    measure: 'messages',
    period: 'day',
    value: 8_412,
    bound: 8_000,
    amount: null,
    windowMinutes: null,
  } as const;
  assert.equal(mail({ ...volume, ...everything, carrier: 'Globe' }).subject, '8,000 messages per day reached: Globe');
  assert.match(leadOf(alert(volume)), /\. 8,412 messages today\.$/);
  assert.match(
    leadOf(alert({ ...volume, event: 'limit' })),
    /^Limit of 8,000 messages per day reached \(application Shop, /,
  );
  // One that was written before scopes were kept.
  const {
    areaCode: _,
    carrier: __,
    smsType: ___,
    amount: ____,
    windowMinutes: _____,
    appName: ______,
    ...old
  } = alert({}).params as Record<string, unknown>;
  const kept = { ...alert({}), params: { ...old, appId: 'shop01' } } as AnyNotice;
  assert.match(leadOf(kept), /^Delivery rate below 80% \(application shop01\)\. 41\.2%\.$/);
});
