import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackTypes, findScope, type RouteDefinition, routes } from '@pahatid/contract';
import { readReference } from './reference.ts';
import { drawFields, listReferred } from './reference-fields.ts';

const english = readReference('en-US');
const chinese = readReference('zh-CN');
const html = english.map((page) => page.html).join('');

test('every call that software may make is in the reference, with its scope', () => {
  const missing = Object.entries<RouteDefinition>(routes).flatMap(([key, definition]) => {
    const scope = findScope(key, definition);
    if (scope === null) return [];
    const path = (key.split(' ')[1] ?? '').replaceAll(/:(\w+)/g, '{$1}');
    return html.includes(`</b> ${path}</a></h2>`) && html.includes(`<code>${scope}</code>`) ? [] : [key];
  });
  assert.deepEqual(missing, []);
});

test('what belongs to people alone is not', () => {
  assert.doesNotMatch(html, /<\/b> \/(?:members|session|account)\b/);
});

test('both languages have the same calls, and every object that is referred to is there', () => {
  assert.deepEqual(
    chinese.map(({ slug, sections }) => [slug, sections.map(({ id }) => id)]),
    english.map(({ slug, sections }) => [slug, sections.map(({ id }) => id)]),
  );
  for (const page of [...english, ...chinese]) {
    const ids = [...page.html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, page.slug);
    for (const [, target = ''] of page.html.matchAll(/href="#([^"]+)"/g))
      assert.ok(ids.includes(target), `${page.slug}: ${target}`);
  }
});

test('fields show type, bounds, meaning and example, and text is escaped', () => {
  const { reference: copy } = {
    reference: { required: 'required', or: 'or', characters: 'characters', entries: 'entries', byDefault: 'default' },
  };
  const schema = {
    type: 'object',
    properties: {
      to: { type: 'string', minLength: 1, maxLength: 40, description: 'A `number` <x>', examples: ['+63'] },
      list: {
        type: 'array',
        maxItems: 3,
        items: {
          type: 'object',
          properties: { of: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] } },
        },
      },
    },
    required: ['to'],
  };
  const drawn = drawFields(schema, copy as Parameters<typeof drawFields>[1]);
  assert.ok(
    drawn.includes('<code>to</code> <span>string</span> <em>required</em><small>1–40 characters</small>'),
    drawn,
  );
  assert.ok(drawn.includes('<dd>A <code>number</code> &lt;x&gt; <code>+63</code></dd>'), drawn);
  assert.ok(drawn.includes('<code>list[].of</code> <span><a href="#Thing">Thing</a> | null</span>'), drawn);
  const referred = listReferred(
    drawn,
    (name) => `<p>${name} <a href="#Thing">Thing</a> <a href="#Other">Other</a></p>`,
  );
  assert.deepEqual(
    referred.map(({ name }) => name),
    ['Thing', 'Other'],
  );
});

test('each call shows a request as curl and, if its client has it, for Node.js, with values that its schema accepts', () => {
  for (const page of english.filter(({ slug }) => slug.startsWith('reference/') && slug !== 'reference/webhooks')) {
    const calls = page.sections.filter(({ id }) => id !== '');
    assert.equal(page.html.match(/>curl<\/label>/g)?.length, calls.length, page.slug);
    assert.ok(page.html.includes('$PAHATID_KEY'), page.slug);
  }
  const { html: messages = '' } = english.find(({ slug }) => slug === 'reference/messages') ?? {};
  assert.match(messages, />Node\.js<\/label>/);
  assert.match(messages, /<details><summary>Example of the answer 202<\/summary>/);
});

test('every callback is on the page of callbacks, with its fields and an example', () => {
  const page = english.find(({ slug }) => slug === 'reference/webhooks');
  assert.deepEqual(
    page?.sections.map(({ title }) => title),
    ['', ...callbackTypes],
  );
  assert.match(page?.html ?? '', /<code>webhook-signature<\/code>[\s\S]*<code>data\.clientStatus<\/code>/);
});
