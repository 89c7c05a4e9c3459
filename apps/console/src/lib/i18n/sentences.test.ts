import assert from 'node:assert/strict';
import test from 'node:test';
import { joinSentences } from './sentences.ts';

test('a space parts two sentences, but not after a mark that is as wide as a character', () => {
  assert.equal(joinSentences(['Nothing was sent.', null, 'Edit the task.']), 'Nothing was sent. Edit the task.');
  assert.equal(joinSentences(['未发送任何短信。', '', '请编辑任务。']), '未发送任何短信。请编辑任务。');
  assert.equal(joinSentences([null, undefined]), '');
});
