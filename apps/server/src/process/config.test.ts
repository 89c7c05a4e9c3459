import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';
import { describeSettings, SETTINGS } from './settings.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
};

test('an empty environment gives a laptop: loopback, embedded database, demo', () => {
  const config = readConfig({});
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 8080);
  assert.equal(config.smppPort, 2775);
  assert.equal(config.simulatorPort, 2776);
  assert.equal(config.databaseUrl, null);
  assert.equal(config.demo, true);
  assert.equal(config.publicUrl, 'http://127.0.0.1:8080');
  assert.equal(config.shortUrl, config.publicUrl);
  assert.deepEqual(config.roles, ['api', 'smpp', 'sender', 'jobs']);
  assert.deepEqual(config.trustProxy, []);
});

test('S22 demo accounts are refused on any address but loopback', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.com', '128.0.0.1', '127.example.com']) {
    assert.match(problemsOf({ PAHATID_HOST: host }).join(), /PAHATID_DEMO: .*loopback/, host);
    assert.deepEqual(problemsOf({ PAHATID_HOST: host, PAHATID_DEMO: 'off' }), [], host);
  }
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
    assert.deepEqual(problemsOf({ PAHATID_HOST: host }), []);
});

test('S67 the demo is refused behind a public name or a proxy, and not without the demo', () => {
  for (const url of [
    'https://sms.example',
    'http://192.168.1.5:8080',
    'http://127.0.0.1.example.com',
    'http://[::2]',
  ]) {
    assert.match(problemsOf({ PAHATID_PUBLIC_URL: url }).join(), /^PAHATID_DEMO: .*PAHATID_PUBLIC_URL.*loopback/, url);
    assert.deepEqual(problemsOf({ PAHATID_PUBLIC_URL: url, PAHATID_DEMO: 'off' }), [], url);
  }
  for (const url of ['http://localhost:9000', 'http://127.0.0.1', 'http://[::1]:8080', 'http://LOCALHOST'])
    assert.deepEqual(problemsOf({ PAHATID_PUBLIC_URL: url }), [], url);
  for (const proxy of ['127.0.0.1', '10.0.0.0/8']) {
    assert.match(problemsOf({ PAHATID_TRUST_PROXY: proxy }).join(), /^PAHATID_DEMO: .*PAHATID_TRUST_PROXY/);
    assert.deepEqual(problemsOf({ PAHATID_TRUST_PROXY: proxy, PAHATID_DEMO: 'off' }), []);
  }
  const own = { DATABASE_URL: 'postgres://app:x@db.example/pahatid', PAHATID_SECRET: 'ab'.repeat(32) };
  assert.match(
    problemsOf({ ...own, PAHATID_DEMO: 'on', PAHATID_PUBLIC_URL: 'https://sms.example' }).join(),
    /^PAHATID_DEMO/,
  );
});

test('a demo for visitors has no known passwords, so it may be reached by others, and sends unless turned off', () => {
  const config = readConfig({
    PAHATID_DEMO: 'visitors',
    PAHATID_HOST: '0.0.0.0',
    PAHATID_PUBLIC_URL: 'https://demo.example',
  });
  assert.deepEqual([config.demo, config.visitors, config.demoTraffic], [false, true, true]);
  assert.equal(readConfig({ PAHATID_DEMO: 'visitors', PAHATID_DEMO_TRAFFIC: 'off' }).demoTraffic, false);
  // With the demo the terminal decides, without one there is no customer to send for.
  assert.deepEqual([readConfig({}).demoTraffic, readConfig({ PAHATID_DEMO_TRAFFIC: 'on' }).demoTraffic], [null, true]);
  assert.equal(readConfig({ PAHATID_DEMO: 'off' }).demoTraffic, false);
  assert.match(
    problemsOf({ PAHATID_DEMO: 'off', PAHATID_DEMO_TRAFFIC: 'on' }).join(),
    /^PAHATID_DEMO_TRAFFIC: .*needs PAHATID_DEMO/,
  );
  assert.equal(readConfig({ PAHATID_DEMO_URL: 'https://demo.example/' }).demoUrl, 'https://demo.example');
});

test('a database of your own needs a master key of your own, and has no demo unless asked', () => {
  const DATABASE_URL = 'postgres://app:x@db.example/pahatid';
  assert.match(problemsOf({ DATABASE_URL }).join(), /PAHATID_SECRET: is required/);
  const config = readConfig({ DATABASE_URL, PAHATID_SECRET: 'ab'.repeat(32) });
  assert.equal(config.demo, false);
  assert.equal(config.secret?.length, 32);
  const several = 'postgres://app:x@db1:5432,db2:5433/pahatid';
  assert.equal(readConfig({ DATABASE_URL: several, PAHATID_SECRET: 'ab'.repeat(32) }).databaseUrl, several);
  assert.deepEqual(
    readConfig({ DATABASE_URL, PAHATID_SECRET: Buffer.alloc(32, 7).toString('base64') }).secret,
    Buffer.alloc(32, 7),
  );
});

const bad: [Record<string, string>, RegExp][] = [
  [{ PAHATID_PORT: '80a' }, /^PAHATID_PORT: “80a” is not a port/],
  [{ PAHATID_PORT: '65536' }, /^PAHATID_PORT/],
  [{ PAHATID_PORT: '-1' }, /^PAHATID_PORT/],
  [{ PAHATID_SIM_PORT: 'on' }, /^PAHATID_SIM_PORT/],
  [{ PAHATID_HOST: 'a b' }, /^PAHATID_HOST/],
  [{ PAHATID_SMPP_TLS_PORT: '2777' }, /^PAHATID_SMPP_TLS_PORT: needs/],
  [{ DATABASE_URL: 'mysql://x', PAHATID_SECRET: 'ab'.repeat(32) }, /^DATABASE_URL: is not an address/],
  [{ DATABASE_URL: 'postgres://x:1,y:a/z', PAHATID_SECRET: 'ab'.repeat(32) }, /^DATABASE_URL: is not an address/],
  [{ PAHATID_CONTROL_URL: 'postgres://x/y' }, /need DATABASE_URL/],
  [{ PAHATID_POOLER_URL: 'postgres://x/y' }, /need DATABASE_URL/],
  [{ PAHATID_READ_URLS: 'postgres://x/y,nonsense' }, /^PAHATID_READ_URLS/],
  [{ PAHATID_DATA_URLS: 'postgres://x/y,nonsense' }, /^PAHATID_DATA_URLS/],
  [{ PAHATID_ROLES: 'api,web' }, /^PAHATID_ROLES/],
  [{ PAHATID_SECRET: 'short' }, /^PAHATID_SECRET: is not 32 bytes/],
  [{ PAHATID_DEMO: 'yes' }, /^PAHATID_DEMO/],
  [{ SMTP_URL: 'http://mail' }, /^SMTP_URL/],
  [{ PAHATID_PUBLIC_URL: 'sms.example' }, /^PAHATID_PUBLIC_URL/],
  [{ PAHATID_SHORT_URL: 'ftp://x' }, /^PAHATID_SHORT_URL/],
  [{ PAHATID_OPT_OUT_NUMBER: 'T' }, /^PAHATID_OPT_OUT_NUMBER/],
  [{ PAHATID_LOG: 'loud' }, /^PAHATID_LOG/],
  [{ PAHATID_METRICS_TOKEN: 'short' }, /^PAHATID_METRICS_TOKEN/],
  [{ PAHATID_AUDIT_TOKEN: 'shorter than 32 characters' }, /^PAHATID_AUDIT_TOKEN/],
  [{ PAHATID_TRUST_PROXY: '10.0.0.0/33' }, /^PAHATID_TRUST_PROXY/],
  [{ PAHATID_CALLBACK_ALLOW: 'intranet' }, /^PAHATID_CALLBACK_ALLOW/],
  [{ PAHATID_RATE_PEOPLE: '0' }, /^PAHATID_RATE_PEOPLE/],
  [{ PAHATID_RATE_ADDRESS: '1.5' }, /^PAHATID_RATE_ADDRESS/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT/],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, /^OTEL_TRACES_SAMPLER_ARG/],
  [{ PAHATID_ALARM_LOOK_UPS: '0' }, /^PAHATID_ALARM_LOOK_UPS/],
  [{ PAHATID_ALARM_ACCOUNTS: 'ten' }, /^PAHATID_ALARM_ACCOUNTS/],
  [{ PAHATID_COUNTRY_HEADER: 'cf-ipcountry' }, /^PAHATID_COUNTRY_HEADER: .*PAHATID_TRUST_PROXY/],
  [{ PAHATID_ARCHIVE_DAYS: '34' }, /^PAHATID_ARCHIVE_DAYS/],
  [{ PAHATID_ARCHIVE_DAYS: 'on' }, /^PAHATID_ARCHIVE_DAYS/],
];
for (const [env, message] of bad) {
  test(`refuses ${JSON.stringify(env)} with one line that names it`, () => {
    const problems = problemsOf(env);
    assert.match(problems[0] ?? '', message);
    for (const problem of problems) assert.ok(!problem.includes('\n'));
  });
}

test('all configuration errors are listed together', () => {
  assert.equal(problemsOf({ PAHATID_PORT: 'x', PAHATID_LOG: 'y', PAHATID_DEMO: 'z' }).length, 3);
});

test('a secret value is never shown, neither in the table nor in an error', () => {
  const canary = 'canary-7f3a';
  for (const { name } of SETTINGS.filter(({ secret }) => secret)) {
    const shown = describeSettings({ [name]: canary });
    assert.ok(!JSON.stringify(shown).includes(canary), name);
    assert.equal(shown.find((row) => row.name === name)?.value, '(set)');
    assert.ok(
      !problemsOf({ [name]: canary })
        .join()
        .includes(canary),
      name,
    );
  }
});

test('off, none, blanks and lists are read', () => {
  const config = readConfig({
    PAHATID_DEMO: 'off',
    PAHATID_SIM_PORT: 'off',
    PAHATID_PORT: ' ',
    PAHATID_TRUST_PROXY: '10.0.0.1, fd00::/8',
    PAHATID_CALLBACK_ALLOW: 'none',
    PAHATID_ROLES: 'sender, jobs,sender',
    PAHATID_PUBLIC_URL: 'https://sms.example/',
  });
  assert.equal(config.simulatorPort, null);
  assert.equal(config.port, 8080);
  assert.deepEqual(config.trustProxy, ['10.0.0.1', 'fd00::/8']);
  assert.deepEqual(config.callbackAllow, []);
  assert.deepEqual(config.roles, ['sender', 'jobs']);
  assert.equal(config.publicUrl, 'https://sms.example');
});
