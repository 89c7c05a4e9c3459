import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMatches } from '../src/features/public/docs/find-matches.ts';
import { makeGuide, readGuides } from './guides.ts';

const labels = { copy: 'Copy', language: 'Language' };
const english = readGuides('en-US');
const chinese = readGuides('zh-CN');

test('a guide has the same sections, samples and tables in both languages', () => {
  const outline = (guides: typeof english) =>
    guides.map(({ slug, html, sections }) => ({
      slug,
      sections: sections.map(({ id, depth }) => `${depth} ${id}`),
      code: html.match(/<pre /g)?.length,
      rows: html.match(/<tr>/g)?.length,
      steps: html.match(/<li>/g)?.length,
    }));
  assert.deepEqual(outline(chinese), outline(english));
});

test('every section has one anchor on its page', () => {
  for (const { slug, html } of [...english, ...chinese]) {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(
      ids.filter((id, index) => id === '' || ids.indexOf(id) !== index),
      [],
      slug,
    );
  }
});

test('every line of a table is part of it', () => {
  for (const { slug, html } of [...english, ...chinese]) assert.doesNotMatch(html, /<p>\|/, slug);
});

test('links within the documentation lead to sections there are', () => {
  for (const guides of [english, chinese]) {
    const addresses = new Set(
      guides.flatMap(({ slug, sections }) =>
        sections.map(({ id }) => `${slug === 'quick-start' ? '/docs' : `/docs/${slug}`}${id === '' ? '' : `#${id}`}`),
      ),
    );
    for (const { slug, html } of guides)
      for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g)) {
        const target = href.startsWith('#') ? `${slug === 'quick-start' ? '/docs' : `/docs/${slug}`}${href}` : href;
        if (/^\/docs(?!\/(?:errors|reference))/.test(target)) assert.ok(addresses.has(target), `${slug}: ${href}`);
      }
  }
});

test('code is escaped, marked, and in tabs if each block has a label', () => {
  const text = `<!-- Label -->
# Title

Lead with \`code\`.

## One {#one}

\`\`\`php PHP
<?php echo "<b>";
\`\`\`

\`\`\`json JSON
{ "a": 1 }
\`\`\`

\`\`\`bash
echo '{{sample:none}}' # <x>
\`\`\`
`;
  const { html, label, title, description, lead, sections } = makeGuide('x', text, labels);
  assert.deepEqual(
    [label, title, description, lead],
    ['Label', 'Title', 'Lead with code.', 'Lead with <code>code</code>.'],
  );
  assert.equal(html.match(/<input type="radio"/g)?.length, 2);
  assert.match(html, /<span class="cs">"&lt;b&gt;"<\/span>/);
  assert.match(html, /<span class="cn">"a"<\/span>/);
  assert.match(html, /<figure class="docs-code"><figcaption>Shell/);
  assert.doesNotMatch(html, /<x>|style=/);
  assert.deepEqual(
    sections.map(({ id, title: heading }) => [id, heading]),
    [
      ['', ''],
      ['one', 'One'],
    ],
  );
  assert.throws(
    () => makeGuide('x', text.replace("echo '{{sample:none}}' # <x>", '{{sample:none}}'), labels),
    /no sample none/,
  );
});

test('the search finds sections that have every word, titles first, and parts of Chinese sentences', () => {
  const index = [
    { href: '/docs/a', page: 'A', title: 'Other', text: 'About the signature of a callback, at length. '.repeat(9) },
    { href: '/docs/b', page: 'B', title: 'Verify the signature', text: 'HMAC of the callback' },
    { href: '/docs/c', page: '回调', title: '校验签名', text: '请求头中有两个签名' },
  ];
  const found = (asked: string) => findMatches(index, asked).map(({ href }) => href);
  assert.deepEqual(found('Signature  callback'), ['/docs/b', '/docs/a']);
  assert.deepEqual(found('两个签名'), ['/docs/c']);
  assert.deepEqual(found('signature nothing'), []);
  assert.deepEqual(found('  '), []);
  assert.match(findMatches(index, 'length')[0]?.excerpt ?? '', /at length/);
});
