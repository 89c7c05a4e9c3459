import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOpenApi } from './index.ts';
import { messagesBody, messagesShapes } from './messages.ts';

const text = { to: '09171234567', smsType: 1, content: 'Your code is 123456.' };
const template = { to: '09171234567', templateId: '0198c0de-0000-7000-8000-000000000001', variables: ['Ana'] };

test('a body of messages has one of the shapes that the document shows, and no other passes the check', () => {
  const good = [
    { ...text, replyTo: template.templateId },
    text,
    { ...text, senderId: 'SHOP', validFor: 60 },
    template,
    { ...template, smsType: 1 },
  ];
  const bad = [
    {},
    { to: text.to },
    { ...text, to: undefined },
    { ...text, smsType: undefined },
    { ...text, content: undefined },
    { ...text, smsType: 4 },
    { ...text, templateId: template.templateId },
    { ...text, variables: [] },
    { ...text, more: 1 },
    { ...template, templateId: 'no-id' },
    { ...template, to: undefined },
  ];
  for (const body of [...good, { messages: good }]) {
    assert.ok(messagesShapes.safeParse(body).success, JSON.stringify(body));
    assert.ok(messagesBody.safeParse(body).success, JSON.stringify(body));
  }
  for (const body of [
    ...bad,
    ...bad.map((each) => ({ messages: [text, each] })),
    { ...text, messages: [text] },
    { messages: [] },
    { messages: Array.from({ length: 1_001 }, () => text) },
  ]) {
    assert.ok(!messagesShapes.safeParse(body).success, JSON.stringify(body).slice(0, 200));
    assert.ok(!messagesBody.safeParse(body).success, JSON.stringify(body).slice(0, 200));
  }
});

test('the document shows the alternatives of a body, what each requires and how long a text may be', () => {
  const content = makeOpenApi().paths['/messages']?.post?.requestBody?.content['application/json'];
  const shapes = content?.schema.oneOf as { required: string[]; properties: Record<string, { maxLength?: number }> }[];
  assert.deepEqual(
    shapes.map(({ required }) => required.toSorted()),
    [['content', 'smsType', 'to'], ['templateId', 'to'], ['messages']],
  );
  assert.equal(shapes[0]?.properties.content?.maxLength, 500);
});
