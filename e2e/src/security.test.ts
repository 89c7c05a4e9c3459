/**
 * Stored text is never interpreted, whatever its source and wherever it is shown: every screen is opened in three
 * languages with texts that would run if interpreted as markup, and under a policy that reports any attempt.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { buildAccountRequest } from '@pahatid/db/builders';
import { testDatabase, until } from '@pahatid/testkit';
import type { Page, Response } from 'playwright-core';
import { launchBrowser, openVisitor } from './browser.ts';
import { look } from './look.ts';
import { naughtyStrings } from './naughty-strings.ts';
import { Product } from './product.ts';
import { watchRequests } from './watch-requests.ts';

const db = await testDatabase({ migrated: false });
const product = await Product.start({
  DATABASE_URL: db.url,
  PAHATID_SECRET: randomBytes(32).toString('hex'),
  PAHATID_DEMO: 'on',
});
const browser = await launchBrowser();
db.beforeClose(async () => {
  await browser.close();
  await product.stop();
});

/** Where texts of people and of carriers are stored: table, key, column, and which rows are shown first. */
const fields: readonly (readonly [table: string, key: string, column: string, where: string])[] = [
  ['template', 'template_id', 'template_name', 'true'],
  ['template_version', 'ctid', 'content', 'true'],
  ['template_version', 'ctid', 'audit_reason', 'audit_status = 2'],
  ['application', 'app_id', 'app_name', 'true'],
  ['application', 'app_id', 'remark_info', 'true'],
  ['sender', 'id', 'remark_info', 'true'],
  ['sender', 'id', 'audit_reason', 'audit_status = 2'],
  ['task', 'task_id', 'task_name', 'true'],
  ['task', 'task_id', 'status_note', 'status_note is not null'],
  ['task', 'task_id', 'content', 'content is not null'],
  ['task_event', 'ctid', 'note', 'note is not null and task_id in (select task_id from task where task_status = 11)'],
  ['file', 'file_id', 'file_name', 'true'],
  ['message', 'ctid', 'content', 'message_id in (select message_id from message order by message_id desc limit 48)'],
  [
    'message',
    'ctid',
    'deal_result',
    'message_id in (select message_id from message order by message_id desc limit 48)',
  ],
  [
    'message',
    'ctid',
    'carrier_code',
    'message_id in (select message_id from message order by message_id desc limit 48)',
  ],
  ['app_user', 'user_id', 'name', 'true'],
  ['customer', 'customer_id', 'customer_name', 'true'],
  ['supplier', 'supplier_id', 'supplier_account', 'true'],
  ['route', 'route_id', 'route_name', 'true'],
  ['ledger', 'entry_id', 'note', `kind <> 'charge'`],
  ['session', 'session_hash', 'user_agent', 'true'],
  ['inbound', 'inbound_id', 'content', 'true'],
  ['opt_out', 'msisdn', 'evidence', 'true'],
  ['message_group', 'group_id', 'group_name', 'true'],
  ['message_group', 'group_id', 'description', 'true'],
  ['short_link', 'link_id', 'link_name', 'true'],
  ['chart', 'chart_id', 'tab_name', 'true'],
  ['callback_attempt', 'ctid', 'response', 'true'],
  ['account_request', 'account_request_id', 'name', 'true'],
  ['account_request', 'account_request_id', 'company', 'true'],
  ['account_request', 'account_request_id', 'message', 'true'],
  ['account_request', 'account_request_id', 'sender_id', 'true'],
  ['enquiry', 'enquiry_id', 'name', 'true'],
  ['enquiry', 'enquiry_id', 'company', 'true'],
  ['enquiry', 'enquiry_id', 'message', 'true'],
];

/** Few enough that hardly a string stands in two fields: the later one would be credited with both. */
const ROWS = 48;
/** Of a browser's header only a program's name is shown, so sessions get those strings that could be one. */
const programNames = naughtyStrings.filter((text) => /^[A-Za-z]\w{7,30}$/.test(text));
const otherStrings = naughtyStrings.filter((text) => !programNames.includes(text));

/** Distributes the strings over the rows; another beginning puts other strings into the same rows. */
async function placeStrings(begin: number): Promise<Map<string, string>> {
  const placed = new Map<string, string>();
  let next = begin;
  for (const [table, key, column, where] of fields) {
    const rows = await many<{ key: string }>(
      db.pool,
      sql`select ${sql.raw(key)} as key from ${sql.raw(table)} where ${sql.raw(where)} order by 1 desc limit ${ROWS}`,
    );
    const strings = table === 'session' ? programNames : otherStrings;
    // Names that differ only in their case are the same to some tables, and the strings have such.
    const used = new Set<string>();
    const isEnough = strings.length > 2 * ROWS;
    const isUsed = (at: number): boolean => used.has((strings[at % strings.length] ?? '').toLowerCase());
    for (const row of rows) {
      while (isEnough && isUsed(next)) next += 1;
      const text = strings[next++ % strings.length] ?? '';
      used.add(text.toLowerCase());
      // An earlier update of the same row changes its ctid: each column is reread.
      await run(
        db.pool,
        sql`update ${sql.raw(table)} set ${sql.raw(column)} = ${text} where ${sql.raw(key)} = ${row.key}`,
      );
      placed.set(text, `${table}.${column}`);
    }
  }
  return placed;
}

const screensOf = {
  demo: [
    '/home',
    '/application',
    '/smsTemplate',
    '/sender',
    '/bulkMessage',
    // A rejected one: its history contains a reviewer's text.
    '/bulkMessage?taskStatus=11',
    '/bulkMessage/addMessage',
    '/bussinessStatistics/sendRecord',
    '/bussinessStatistics/statistics',
    '/bussinessStatistics/shortLinkStatics',
    '/inbound',
    '/conversation',
    '/messageGroup',
    '/opt-outs',
    '/deliveryThreshold',
    '/developer',
    '/developer?tab=callbacks&state=delivered',
    '/notice',
    '/member',
    '/billing',
    // Charges alone fill the first page of all entries.
    '/billing?kind=topUp',
    '/privacy',
    '/account',
    '/auditLog',
  ],
  admin: [
    '/overview',
    '/review',
    '/customer',
    '/routing',
    '/bulkMessage',
    '/smsTemplate',
    '/sender',
    '/application',
    '/auditLog',
    '/billing',
    '/enquiry',
    '/accountRequest',
    '/staff',
    '/setAsideEvent',
    '/approvals',
    '/privacy',
  ],
} as const;

const isShared = (path: string): boolean => (screensOf.demo as readonly string[]).includes(path);

interface Watched {
  page: Page;
  settled(): Promise<void>;
  /** Dialogs, reports of the policy, elements made of text. */
  found: string[];
  leave(): Promise<void>;
}

async function watch(account: string | null, locale: string): Promise<Watched> {
  const { page, context, errors } = await openVisitor(browser, product.url, { locale });
  const settled = watchRequests(page, 100, 20_000);
  const found: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== product.url && protocol !== 'data:' && protocol !== 'blob:')
      found.push(`${page.url()} asks another site: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    found.push(`dialog at ${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) => {
      console.error('policy at ' + location.href + ': ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sourceFile);
    });`,
  });
  if (account !== null) {
    const signedIn = await context.request.post('/api/v1/session', { data: { account, password: 'Demo@1234' } });
    assert.equal(signedIn.status(), 200);
  }
  return {
    page,
    settled,
    found,
    leave: async () => {
      // What the page asks for and does not find is not the matter here.
      found.push(
        ...errors.filter((line) => !/status of 4\d\d/.test(line)).map((line) => `${account} in ${locale}: ${line}`),
      );
      await context.close();
    },
  };
}

async function open({ page, settled }: Watched, path: string): Promise<Response | null> {
  const response = await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settled();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  return response;
}

/** Collapses spaces, laid out by the page, and invisible marks, which are identified by their neighbours. */
const flat = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\s\u200b-\u200f\u2028\u2029\ufeff\u00ad\p{Cc}]+/gu, ' ')
    .trim();

/** Runs in the page: returns its texts, including fields and hints, and elements created from stored text. */
const readPage = `(() => {
  const all = [...document.querySelectorAll('*')];
  return {
    text: [
      document.body.textContent,
      ...all.flatMap((each) => [each.value, each.getAttribute('title'), each.getAttribute('aria-label')]),
    ].filter((text) => typeof text === 'string').join('\\n'),
    elements: [
      ...document.querySelectorAll('[data-naughty], base, [href^="javascript:" i], [href^="data:" i]'),
      ...all.filter((each) => each.getAttributeNames().some((name) => name.startsWith('on'))),
    ].map((each) => each.outerHTML.slice(0, 120)),
  };
})()`;

const seen = new Map<string, Set<string>>();

async function lookAt({ page, found }: Watched, where: string, placed: ReadonlyMap<string, string>): Promise<void> {
  const { text, elements } = await page.evaluate<{ text: string; elements: string[] }>(readPage);
  found.push(...elements.map((element) => `${where}: text became ${element}`));
  const read = flat(text);
  for (const [string, field] of placed) {
    if (string.length < 4 || !read.includes(flat(string))) continue;
    seen.set(field, (seen.get(field) ?? new Set()).add(string));
  }
}

/** Opens a row's panel, if the list has one. */
async function openRow({ page, settled }: Watched, index: number, patienceMs: number): Promise<boolean> {
  const button = page.locator('main :is(tbody tr:has(button), .card:has(button))').nth(index).locator('button').first();
  if ((await button.count()) === 0) return false;
  await button.click({ timeout: 2_000 }).catch(() => undefined);
  const hasOpened = await page
    .getByRole('dialog')
    .waitFor({ timeout: patienceMs })
    .then(
      () => true,
      () => false,
    );
  if (!hasOpened) return false;
  await settled();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  return true;
}

interface Closeness {
  /** List rows whose panels are opened. */
  rows: number;
  patienceMs: number;
}

/** Puts other texts into every field, and opens every screen as a customer and as staff. */
async function lookAtAll(locale: string, begin: number, { rows, patienceMs }: Closeness): Promise<string[]> {
  const placed = await placeStrings(begin);
  const found = await Promise.all(
    (['demo', 'admin'] as const).map(async (account) => {
      const visitor = await watch(account, locale);
      // What both kinds of people share is looked at as the customer sees it.
      const paths = screensOf[account].filter((path) => account === 'demo' || locale === 'en-US' || !isShared(path));
      for (const path of paths) {
        const response = await open(visitor, path);
        assert.equal(response?.status(), 200, path);
        await lookAt(visitor, `${path} in ${locale}`, placed);
        for (let row = 0; row < rows && (await openRow(visitor, row, patienceMs)); row++) {
          await lookAt(visitor, `panel ${row} of ${path}`, placed);
          if (row + 1 < rows) await open(visitor, path);
        }
        await look(visitor.page, `naughty-${locale}-${account}${path.replaceAll(/\W/g, '-')}`);
      }
      await visitor.leave();
      return visitor.found;
    }),
  );
  return found.flat();
}

const unread = (): string[] =>
  fields.map(([table, , column]) => `${table}.${column}`).filter((field) => !seen.has(field));

test(`S25 ${naughtyStrings.length} texts that break pages stay texts on every screen, in three languages`, {
  timeout: 600_000,
}, async () => {
  assert.ok(naughtyStrings.length >= 515);
  await sendNaughtyThings();
  for (const [round, locale] of ['zh-CN', 'en-US', 'ar'].entries()) {
    const closeness = { rows: locale === 'en-US' ? 1 : 0, patienceMs: 4_000 };
    assert.deepEqual(await lookAtAll(locale, Math.round((round * naughtyStrings.length) / 3), closeness), []);
  }
  // A late panel, a text too short to identify, a row that changed meanwhile: repeat with other texts and more rows.
  if (unread().length > 0) assert.deepEqual(await lookAtAll('en-US', 7, { rows: 3, patienceMs: 8_000 }), []);
  const shown = [...seen.values()].reduce((sum, strings) => sum + strings.size, 0);
  assert.deepEqual(unread(), [], 'fields whose texts were read on no screen');
  assert.ok(shown >= 150, `only ${shown} of the texts were read on a screen`);
});

/** Input by users: through the API, with a browser's name, a file's name and its cells. */
async function sendNaughtyThings(): Promise<void> {
  const user = await product.signIn('demo');
  const evil = '<img data-naughty src=y onerror=alert(1)>';
  const { appId } = (await user.call('GET /applications', {})).items[0] ?? {};
  await user.call('POST /templates', {
    body: { appId: appId ?? '', templateName: evil, smsType: 2, content: `Hi ${evil}` } as never,
  });
  await user.call('POST /applications', { body: { appName: evil, remarkInfo: evil } }).catch(ignoreRefusal);
  await user
    .call('POST /senders', {
      body: { appId: appId ?? '', senderId: 'NAUGHTY', areaCode: 'PH', remarkInfo: evil },
    })
    .catch(ignoreRefusal);
  await run(db.pool, sql`update sender set audit_status = 2, audit_reason = 'No' where sender_id = 'NAUGHTY'`);
  await user.call('POST /charts', { body: { tabName: 'Shown', chartType: 'line', selectedMetrics: ['reqTotalNum'] } });
  const now = new Date();
  await run(
    db.pool,
    sql`insert into enquiry (enquiry_id, name, company, email, message, locale, ip, created_at)
        values (${uuidV7()}, ${evil}, ${evil}, 'maria@shop.example', ${evil}, 'en-US', '192.0.2.1', ${now})`,
  );
  await buildAccountRequest(db.pool, { name: evil, company: evil, message: evil, senderId: evil });
  const form = new FormData();
  form.set(
    'file',
    new Blob([`phone,${evil}\n09171234567,"${evil}"\n0917,${evil}\n`]),
    `${evil.replaceAll(/[<>/]/g, '_')}".csv`,
  );
  const answer = await user.fetch('/files', { method: 'POST', body: form, headers: { 'user-agent': evil } });
  assert.equal(answer.status, 202);
  const { fileId } = (await answer.json()) as { fileId: string };
  await until(async () => (await user.call('GET /files/:fileId', { params: { fileId } })).fileStatus !== 'processing');
}

/** A field that takes no such text at all is as good. */
const ignoreRefusal = (error: unknown): void => assert.match(String(error), / 4\d\d /);

const publicPages = [
  '/',
  '/?login=1',
  '/meta',
  '/terms-and-conditions',
  '/privacy-policy',
  '/faq',
  '/services',
  '/services/saas',
  '/services/cpaas',
  '/about',
  '/contact',
  '/request-account',
  '/price',
  '/docs',
  '/docs/callbacks',
  '/docs/reference/messages',
  '/docs/errors',
  '/docs/errors/RATE_LIMITED',
  '/invitation',
  '/setup',
  '/nowhere',
  '/api/docs',
];

test('S26 every page has exactly the policy, nothing on it is refused by it, and it asks no other site', {
  timeout: 600_000,
}, async () => {
  const found: string[] = [];
  for (const account of [null, 'demo', 'admin'] as const) {
    const visitor = await watch(account, 'en-US');
    for (const path of account === null ? publicPages : screensOf[account].slice(0, 2)) {
      const response = await open(visitor, path);
      const headers = response?.headers() ?? {};
      assertPolicy(headers['content-security-policy'] ?? '', path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin', path);
      assert.match(
        headers['referrer-policy'] ?? '',
        /^(?:no-referrer|same-origin|strict-origin-when-cross-origin)$/,
        path,
      );
    }
    await visitor.leave();
    found.push(...visitor.found);
  }
  assert.deepEqual(found, []);
});

/** For a page of the console, or one rendered by the build, whose policy contains only the hashes of its content. */
function assertPolicy(policy: string, path: string): void {
  const directives = policy.split('; ');
  const valuesOf = (name: string): string =>
    directives.find((each) => each.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  const hash = `'sha256-[\\w+/]{43}='`;
  const isDrawn = !valuesOf('script-src').includes(`'self'`);
  const hashes = new RegExp(`^(?:'self' )?${hash}(?: ${hash})*$`);
  if (isDrawn) {
    for (const name of ['script-src', 'style-src']) assert.match(valuesOf(name), hashes, `${name} of ${path}`);
  } else {
    assert.equal(valuesOf('script-src'), `'self'`, path);
    assert.match(valuesOf('style-src'), /^'self' 'nonce-[\w+/]{22}=='$/, path);
  }
  const others = directives.filter((directive) => !/^(?:script|style)-src /.test(directive));
  const allowed = [
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "object-src 'none'",
  ];
  if (!isDrawn) assert.deepEqual(others.toSorted(), allowed, path);
  for (const needed of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
    assert.ok(others.includes(needed), `${needed} of ${path}`);
  for (const directive of others)
    assert.ok(allowed.includes(directive) || / 'none'$| 'self'$/.test(directive), `${directive} of ${path}`);
}
