import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInDomains, listLinkHosts } from './link-hosts.ts';

test('hosts of a text are listed once, in lower case, internationalised names as xn--', () => {
  const content = 'Sale at https://Sarisari.PH/a and sarisari.ph/b, www.mart.ph. Also http://münchen.de/x';
  assert.deepEqual(listLinkHosts(content), ['sarisari.ph', 'www.mart.ph', 'xn--mnchen-3ya.de']);
  assert.deepEqual(listLinkHosts('Hello {1}, your order is ready.'), []);
});

test('a domain covers its subdomains, and no name that only ends like it', () => {
  assert.ok(isInDomains('sarisari.ph', ['mart.ph', 'sarisari.ph']));
  assert.ok(isInDomains('go.sarisari.ph', ['sarisari.ph']));
  assert.ok(!isInDomains('notsarisari.ph', ['sarisari.ph']));
  assert.ok(!isInDomains('ph', ['sarisari.ph']));
});
