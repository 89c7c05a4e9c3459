import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeUserAgent } from './describe-user-agent.ts';

test('a device is identified by its browser and system, whatever else the header claims', () => {
  const known: [header: string, browser: string | null, system: string | null, isPhone: boolean][] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge',
      'Windows',
      false,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari',
      'macOS',
      false,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iPhone',
      true,
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36',
      'Samsung Internet',
      'Android',
      true,
    ],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux', false],
    ['curl/8.5.0', 'curl', null, false],
    ['Mozilla/5.0', null, null, false],
    ['<script>alert(1)</script>', null, null, false],
    ['', null, null, false],
  ];
  for (const [header, browser, system, isPhone] of known)
    assert.deepEqual(describeUserAgent(header), { browser, system, isPhone }, header);
  assert.deepEqual(describeUserAgent(null), { browser: null, system: null, isPhone: false });
});

test('S33 a header of any length is read in no time', () => {
  // The best of five: a machine that does something else for a moment is not slow each time.
  const times = Array.from({ length: 5 }, (_, n) => {
    const header = `Version/${n} ${'1.'.repeat(50_000)}`;
    const startedAt = performance.now();
    describeUserAgent(header);
    return performance.now() - startedAt;
  });
  assert.ok(Math.min(...times) < 50, `${times.join(', ')} ms`);
});
