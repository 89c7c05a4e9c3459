import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { SmsType } from '@pahatid/contract/enums';
import { countSegments } from '../segments/count-segments.ts';
import { checkTemplate } from '../templates/check-template.ts';
import { checkTargetUrl } from './check-target-url.ts';
import { describeClick, findRobotSign, judgeClick, RECEIPT_GRACE_MS } from './judge-click.ts';
import { findShortLinks, isOnDomain, isShortCode, makeShortCodes, replaceCodes } from './short-codes.ts';

const android =
  'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

test('codes have one length, unambiguous letters, and no duplicates', () => {
  const codes = makeShortCodes(5_000, randomBytes);
  assert.equal(new Set(codes).size, 5_000);
  for (const code of codes) assert.ok(isShortCode(code) && !/[0Oo1Il]/.test(code), code);
  const signs = new Map<string, number>();
  for (const sign of codes.join('')) signs.set(sign, (signs.get(sign) ?? 0) + 1);
  assert.equal(signs.size, 56);
  for (const [sign, count] of signs) assert.ok(count > 500 && count < 1_000, `${sign}: ${count}`);
});

test('a code in a text is found on its domain and replaced without a change of length or segments', () => {
  const text = `Sale: https://go.ph/s/abcd2345, or go.ph/s/WXYZ2345. ${'x'.repeat(110)}`;
  const places = findShortLinks(text);
  assert.deepEqual(
    places.map((place) => [place.code, isOnDomain(text, place, 'GO.ph'), isOnDomain(text, place, 'elsewhere.ph')]),
    [
      ['abcd2345', true, false],
      ['WXYZ2345', true, false],
    ],
  );
  const swapped = replaceCodes(
    text,
    places.map((place) => ({ ...place, code: 'kkkk7777' })),
  );
  assert.equal(swapped, text.replace('abcd2345', 'kkkk7777').replace('WXYZ2345', 'kkkk7777'));
  assert.deepEqual(countSegments(swapped), countSegments(text));
  for (const none of ['go.ph/s/abcd234', 'go.ph/s/abcd23456', 'go.ph/t/abcd2345', 'go.ph/s/abcd234l', ''])
    assert.deepEqual(findShortLinks(none), [], none);
});

test('a target is http or https on a public host, without a password, and never a short link of ours', () => {
  for (const [url, read] of [
    ['https://example.com', 'https://example.com/'],
    [' http://Shop.Example.com:8443/a?b=c#d ', 'http://shop.example.com:8443/a?b=c#d'],
    ['https://例え.jp/路', 'https://xn--r8jz45g.jp/%E8%B7%AF'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
  ] as const)
    assert.deepEqual(checkTargetUrl(url, 'go.ph'), { ok: true, url: read });
  const refused: Record<string, readonly string[]> = {
    URL_INVALID: [
      '',
      'example.com',
      'https:example.com',
      'https:///example.com',
      'https://exa mple.com',
      'https://a.ph\\@b.ph',
      'https://',
    ],
    URL_SCHEME: [
      'javascript:alert(1)',
      'ftp://example.com',
      'data:text/html,x',
      'file:///etc/passwd',
      'tel:+639170000001',
    ],
    URL_CREDENTIALS: ['https://user@example.com', 'https://example.com:x@evil.example.org'],
    URL_SHORT_LINK: ['https://go.ph/s/abcd2345', 'http://GO.ph/s/x'],
    URL_TOO_LONG: [`https://example.com/${'x'.repeat(2_000)}`],
    URL_PRIVATE_HOST: [
      ...['http://localhost', 'http://intranet/', 'https://printer.local', 'https://a.internal', 'http://router.lan'],
      ...[
        'http://127.0.0.1',
        'http://0x7f.1',
        'http://2130706433',
        'http://10.1.2.3',
        'http://172.16.0.1',
        'http://192.168.1.1',
      ],
      ...[
        'http://169.254.169.254/latest',
        'http://100.64.0.1',
        'http://0.0.0.0',
        'http://224.0.0.1',
        'http://255.255.255.255',
      ],
      ...[
        'http://[::1]',
        'http://[::ffff:127.0.0.1]',
        'http://[fe80::1]',
        'http://[fd00::1]',
        'http://[2002:7f00:1::]',
      ],
      ...['http://[2001:db8::1]', 'http://[64:ff9b::7f00:1]', 'http://host.test', 'http://x.localhost.'],
    ],
  };
  for (const [code, urls] of Object.entries(refused))
    for (const url of urls) assert.deepEqual(checkTargetUrl(url, 'go.ph'), { ok: false, code }, url);
});

test('bots are distinguished from people by request and by user agent', () => {
  const asked = (userAgent: string | null, more: { method?: string; purpose?: string } = {}) =>
    findRobotSign({ method: 'GET', purpose: null, userAgent, ...more });
  for (const person of [
    ...[android, iphone, `${iphone} [FBAN/FBIOS;FBAV/470.0]`, `${android} Viber/22.4`],
    'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Version/4.0 Chrome/125.0 Mobile Safari/537.36 Line/14.9.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0',
  ])
    assert.equal(asked(person), null, person);
  for (const program of [
    ...['', null, 'curl/8.5', 'WhatsApp/2.23.20 A', 'TelegramBot (like TwitterBot)', 'facebookexternalhit/1.1'],
    ...['Mozilla/5.0 (compatible; Googlebot/2.1)', 'Mozilla/5.0 (compatible; Discordbot/2.0)', 'python-requests/2.32'],
    ...['Slackbot-LinkExpanding 1.0', 'Mozilla/5.0 (X11) HeadlessChrome/126.0', 'Viber/13.3', 'Go-http-client/2.0'],
    'Mozilla/5.0 (Windows NT 10.0) BingPreview/1.0b',
  ])
    assert.equal(asked(program), 'scanner', String(program));
  assert.equal(asked(iphone, { purpose: 'prefetch;prerender' }), 'scanner');
  assert.equal(asked(iphone, { method: 'HEAD' }), 'head');
});

test('a click before the receipt is not human; it waits for a pending receipt before it is judged', () => {
  const at = 1_000_000;
  const judged = (receiptAtMs: number | null | undefined, nowMs = at, sign: 'head' | null = null) =>
    judgeClick({ sign, atMs: at, receiptAtMs, nowMs });
  assert.equal(judged(at - 1), 'human');
  assert.equal(judged(at), 'human');
  assert.equal(judged(at + 1), 'early');
  assert.equal(judged(null), null);
  assert.equal(judged(null, at + RECEIPT_GRACE_MS), 'early');
  assert.equal(judged(undefined), 'human');
  assert.equal(judged(at - 1, at, 'head'), 'head');
});

test('only the family of a browser is stored', () => {
  assert.deepEqual(describeClick(android), { os: 'Android', browser: 'Chrome', device: 'phone' });
  assert.deepEqual(describeClick(iphone), { os: 'iOS', browser: 'Safari', device: 'phone' });
  assert.deepEqual(describeClick('curl/8.5 (+me@example.com)'), { os: 'other', browser: 'other', device: 'other' });
  assert.deepEqual(describeClick(null), { os: 'other', browser: 'other', device: 'other' });
});

test('our own short link in a template gives no warning; others do, and no variable is allowed in either', () => {
  const found = (content: string, ownDomain?: string) =>
    checkTemplate(content, SmsType.Notification, ownDomain === undefined ? {} : { ownDomain }).map(({ code }) => code);
  assert.deepEqual(found('Open https://go.ph/s/abcd2345 now, {1}', 'go.ph'), []);
  assert.deepEqual(found('Open 127.0.0.1:8080/s/abcd2345 now', '127.0.0.1:8080'), []);
  assert.deepEqual(found('Open https://go.ph/s/abcd2345 now'), ['LINK_PRESENT']);
  assert.deepEqual(found('Open https://evil-go.ph/x and go.ph/s/abcd2345', 'go.ph'), ['LINK_PRESENT']);
  assert.deepEqual(found('Open go.ph/about', 'go.ph'), ['LINK_PRESENT']);
  assert.deepEqual(found('Open go.ph/s/abcd2345?id={1}', 'go.ph'), ['LINK_HAS_VARIABLE']);
  assert.deepEqual(found('Open not-go.ph/s/abcd2345', 'go.ph'), ['LINK_PRESENT']);
});
