import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTemplate } from './check-template.ts';
import { endsWithUnsubscribe } from './unsubscribe.ts';

/** Ends of marketing texts as they are written in Taiwan, Hong Kong and on the mainland. */
const natural = [
  ...['退訂請回覆T', '退訂請回復T', '退訂請回T', '退訂回覆T', '退訂回T', '退訂，請回覆T', '退訂請覆T', '退訂請回傳T'],
  ...[
    '退訂請傳送T',
    '退訂請發送T',
    '如需退訂請回覆T',
    '如需退訂，請回覆T',
    '若要退訂請回T',
    '欲退訂請回覆T',
    '如欲退訂，請回覆 T',
  ],
  ...[
    '回覆T退訂',
    '回T退訂',
    '回覆T即可退訂',
    '回覆T可退訂',
    '請回覆T退訂',
    '回覆 T 退訂',
    '回覆“T”退訂',
    '回覆T以退訂',
  ],
  ...['取消訂閱請回覆T', '如需取消訂閱，請回覆T', '回覆T取消訂閱', '回覆T即可取消訂閱', '取消訂閱請回覆「T」'],
  ...['拒收請回T', '拒收請回覆T', '拒收回T', '回T拒收', '如欲拒收訊息請回覆T', '退訂此簡訊請回覆T', '回T退訂簡訊'],
  ...[
    '停止接收請回覆T',
    '如欲取消接收推廣短訊，請回覆T',
    '如不想再收到此類訊息，請回覆T',
    '若不欲接收廣告簡訊，請回覆T。',
  ],
  ...[
    '退订请回复T',
    '退订回T',
    '拒收请回复T',
    '如需退订请回复T',
    '如需退订，请回复T。',
    '回复T退订',
    '回复T可退订',
    '回T退订',
  ],
  ...[
    '取消订阅请回复T',
    '回复T取消订阅',
    '退订本短信请回复T',
    '退订请回复“T”',
    '退订请发送T',
    '退订：回复T',
    '退訂請回覆Ｔ！',
  ],
];

/** No opt-out, another keyword, a line that runs into the text before it, or more text after it. */
const refused = [
  ...[
    '退訂',
    '請回覆T',
    '回覆T',
    '回覆T參加抽獎',
    '訂閱請回覆T',
    '不退訂請回覆T',
    '退訂請回覆',
    '退訂請回覆{1}',
    '退訂請回覆TD',
  ],
  ...[
    '退訂請回覆R',
    '回覆N退訂',
    '退訂請回覆T享優惠',
    '退訂請回覆T，全館五折',
    '全館五折退訂請回覆T',
    '全馆五折如需退订请回复T',
  ],
  ...['取消訂單請回覆T', '取消預約請回覆T', '接收請回覆T', '退貨請回覆T', '退订请致电T', '退款请回复T', '退订T'],
];

test('marketing may end with any natural form of the line, in Traditional and Simplified Chinese', () => {
  for (const line of natural)
    for (const text of [`周年慶全館五折，${line}`, `周年慶全館五折\n${line}`, `周年慶全館五折 ${line}`])
      assert.ok(endsWithUnsubscribe(text), text);
});

test('what only resembles the line is refused', () => {
  for (const line of refused) assert.ok(!endsWithUnsubscribe(`周年慶，${line}`), line);
});

test('another keyword in a natural form is pointed at, and replaced by the repair', () => {
  for (const [line, found] of [
    ['如需退訂，請回覆TD', 'TD'],
    ['取消訂閱請回覆R', 'R'],
    ['回覆“STOP”退訂', 'STOP'],
    ['拒收請回N', 'N'],
  ] as const) {
    const text = `周年慶全館五折。${line}`;
    const finding = checkTemplate(text, 3).find(({ code }) => code === 'UNSUBSCRIBE_LINE_MISSING');
    assert.deepEqual(finding?.params, { keyword: 'T', found }, line);
    const { from = 0, to = 0, insert = '' } = finding?.fix ?? {};
    assert.ok(endsWithUnsubscribe(text.slice(0, from) + insert + text.slice(to)), line);
  }
});

test('a text that only nearly ends with the line is judged in time that grows with its length alone', () => {
  const parts = ['如需', '退訂', '請', '回覆', ' ', '，', '取消', '接收', '此類', '推廣', '訊息'];
  for (const part of parts) assert.ok(!endsWithUnsubscribe(`，${part.repeat(50_000)}`));
});
