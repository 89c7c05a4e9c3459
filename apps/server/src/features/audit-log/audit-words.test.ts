import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const server = path.join(import.meta.dirname, '../..');
const locales = path.join(server, '../../console/src/locales');

/** Codes as written next to the word `action` or `subjectType`, in files that write into the log. */
function codesOf(word: 'action' | 'subjectType'): Set<string> {
  const found = new Set<string>();
  for (const file of readdirSync(server, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const text = readFileSync(path.join(server, file), 'utf8');
    if (!/\b(audit|auditAct|writeAudit|transitionBySystem)\(/.test(text)) continue;
    for (const [, said = ''] of text.matchAll(new RegExp(`\\b${word}: ([^\\n]*)`, 'g')))
      for (const [, code = ''] of said
        .split(/, (?:subject|before|after)/)[0]!
        .matchAll(/(?<!=== )'([A-Za-z][\w./-]*)'/g))
        found.add(code);
  }
  return found;
}

test('S56 every code that the server writes into the log has a label in both languages', () => {
  const actions = codesOf('action');
  const subjects = codesOf('subjectType');
  assert.ok(actions.size > 30 && subjects.size > 12, `${actions.size} ${subjects.size}`);
  for (const locale of ['zh-CN', 'en-US']) {
    const words = JSON.parse(readFileSync(path.join(locales, locale, 'audit.json'), 'utf8')) as Record<string, string>;
    assert.deepEqual(
      [...actions].filter((code) => words[`audit.action.${code}`] === undefined),
      [],
      locale,
    );
    assert.deepEqual(
      [...subjects].filter((code) => words[`audit.type.${code}`] === undefined),
      [],
      locale,
    );
  }
});
