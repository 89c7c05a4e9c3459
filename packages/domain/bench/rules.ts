/**
 * How long the rules take. Run by hand: `node packages/domain/bench/rules.ts`.
 * Bounds to hold: no input over 20 ms, and a million rows of five values under 15 s on one core.
 */
import { SmsType } from '@pahatid/contract';
import { checkTemplate, checkValue, compileTemplate, countSegments, parseMsisdn } from '../src/index.ts';

function measureMs(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const seeds: Record<string, string> = {
  letters: 'a',
  dots: '.',
  'dotted letters': 'a.',
  slashes: '/',
  'scheme heads': 'a:',
  digits: '1.',
  at: '@a.',
  braces: '{',
  'open placeholders': '{1',
  placeholders: '{1}',
  brackets: '(',
  faces: ':(',
  'same eyes': '^_',
  emoji: '👨‍👩‍👧',
  selectors: '\ufe0f',
  han: '贷',
  'han with separators': '贷 ',
  separators: ' -',
  unsubscribe: 'Reply ',
  zero: '\u200b',
  hyphens: 'a-',
  www: 'www.',
};

console.log('worst template of 500, 4,000 and 100,000 characters, and value of 100,000 (ms)');
for (const [name, seed] of Object.entries(seeds)) {
  const times = [500, 4_000, 100_000].map((length) => {
    const text = seed.repeat(Math.ceil(length / seed.length)).slice(0, length);
    checkTemplate(text, SmsType.Marketing);
    return measureMs(() => checkTemplate(text, SmsType.Marketing)).toFixed(2);
  });
  const value = seed.repeat(Math.ceil(100_000 / seed.length));
  checkValue(value);
  console.log(name.padEnd(22), times.join('  '), ' value', measureMs(() => checkValue(value)).toFixed(2));
}

const values = ['Juan D. Cruz', 'PHP 1,250.00', 'Dr.Co', '2026-12-31', 'Señora Peña'];
const templates = ['Hi {1}, pay {2} to {3} by {4}. Thanks {5}!', 'Hi {1}, pay {2}.00 to Dr.{3} by {4}/{5}'];
for (const content of templates) {
  const template = compileTemplate(content);
  const rows = 1_000_000;
  let links = 0;
  const time = measureMs(() => {
    for (let row = 0; row < rows; row++) {
      values[0] = `Juan ${row}`;
      if (template.judgeValues(values).verdict === 'link') links++;
    }
  });
  const render = measureMs(() => {
    for (let row = 0; row < rows; row++) countSegments(template.render(values));
  });
  console.log(
    `1,000,000 rows of 5 values: judged in ${(time / 1e3).toFixed(2)} s (${links} links), rendered and counted in ${(render / 1e3).toFixed(2)} s`,
  );
}

const text =
  'Hi Juan, your parcel 12345 arrives tomorrow between nine and twelve. Please keep your phone near by :-'.slice(
    0,
    100,
  );
const wide = '您好，您的订单已发货，预计明天送达，请保持电话畅通。'.repeat(4).slice(0, 100);
for (const sample of [text, wide]) {
  const count = 1_000_000;
  const time = measureMs(() => {
    for (let i = 0; i < count; i++) countSegments(sample);
  });
  console.log(`segments of 100 characters: ${Math.round(count / time)} thousand a second`);
}

const typed =
  'Hi {1}, your order {2} is out for delivery today between 9:00 and 12:00. Track it in the app. Reply T to unsubscribe';
const strokes = 5_000;
const typing = measureMs(() => {
  for (let i = 0; i < strokes; i++) checkTemplate(typed, SmsType.Marketing);
});
console.log(`a text of ${typed.length} characters checked in ${((typing / strokes) * 1e3).toFixed(0)} µs`);

for (const [name, spelling] of [
  ['plain', '09171234567'],
  ['spaced', '+63 917 123 4567'],
  ['foreign', '+14155552671'],
] as const) {
  const count = name === 'foreign' ? 20_000 : 1_000_000;
  const time = measureMs(() => {
    for (let i = 0; i < count; i++) parseMsisdn(spelling);
  });
  console.log(`numbers, ${name}: ${Math.round(count / time)} thousand a second`);
}
