/**
 * Statistics in a real browser: a chart is added, changed, copied, opened first and deleted; a range past the bounds is
 * reported; the numbers of the table link to their records; csv and png are saved.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { openVisitor } from './browser.ts';
import { findViolations } from './find-violations.ts';
import { look } from './look.ts';
import { openScreen } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();

for (const size of [
  { locale: 'en-US', width: 1440, height: 960 },
  { locale: 'zh-CN', width: 1440, height: 960, dark: true },
])
  test(`a chart is added, edited and deleted, and its numbers link to records (${size.locale})`, async () => {
    const t = wordsOf(size.locale);
    const { page, context, errors } = await openVisitor(browser, product.url, size);
    await context.request.post('/api/v1/session', { data: { account: 'demo', password: 'Demo@1234' } });
    await page.goto('/home');
    await openScreen(page, t, 'shell.menu.statistics');
    // Not a default saved by an earlier user.
    await page.getByRole('tab', { name: t('statistics.overview') }).click();
    await page.locator('.statistics-canvas canvas').first().waitFor();

    await page.getByRole('button', { name: t('statistics.add') }).click();
    const form = page.getByRole('dialog', { name: t('statistics.add') });
    await form.getByLabel(t('statistics.form.name')).fill('');
    await form.getByRole('button', { name: t('statistics.add') }).click();
    await form.getByText(t('ui.required.message', { label: t('statistics.form.name') })).waitFor();
    const name = `By carrier ${size.locale}`;
    await form.getByLabel(t('statistics.form.name')).fill(name);
    await form.getByText(t('statistics.type.bar'), { exact: true }).click();
    await form.getByLabel(t('statistics.dimension.carrier'), { exact: true }).check();
    // A double click adds one.
    await form.getByRole('button', { name: t('statistics.add') }).dblclick();
    await form.waitFor({ state: 'detached' });
    const tab = page.getByRole('tab', { name });
    await tab.and(page.locator('[aria-selected="true"]')).waitFor();
    assert.equal(await tab.count(), 1);
    const numbers = page.getByRole('region', { name: t('statistics.table', { title: name }) });
    await numbers.getByRole('row').nth(2).waitFor();
    await page.locator('.statistics-canvas canvas').first().waitFor();
    await look(page, `statistics-${size.locale}`);
    if (size.dark === true) assert.deepEqual(await findViolations(page), []);

    // By minute the last 24 hours of the period are shown, with one step back to days.
    await page.getByText(t('statistics.unit.0'), { exact: true }).click();
    await page.getByText(t('statistics.shortened', { period: t('statistics.preset.last14Days') })).waitFor();
    await numbers.getByRole('row').nth(2).waitFor();
    assert.equal(await page.getByRole('heading', { name: t('statistics.tooLong') }).count(), 0);
    await look(page, `statistics-minutes-${size.locale}`);
    await page.getByRole('button', { name: t('statistics.shortened.days') }).click();
    await page
      .getByText(t('statistics.shortened', { period: t('statistics.preset.last14Days') }))
      .waitFor({ state: 'detached' });
    // A range by hand past the bounds is refused, with one step to a period that is shown.
    const tooLong = new URL(page.url());
    for (const [name, value] of [
      ['unit', '0'],
      ['from', '2026-01-01T00:00:00Z'],
      ['to', '2026-01-09T00:00:00Z'],
    ] as const)
      tooLong.searchParams.set(name, value);
    await page.goto(tooLong.href);
    await page.getByRole('heading', { name: t('statistics.tooLong') }).waitFor();
    await page
      .getByRole('button', { name: t('statistics.preset.last24Hours') })
      .last()
      .click();
    await page.getByText(t('statistics.unit.1'), { exact: true }).click();
    await page.getByRole('button', { name: t('statistics.save') }).click();
    await page.getByRole('button', { name: t('statistics.save') }).waitFor({ state: 'detached' });

    const menu = async (key: string) => {
      await page.getByRole('button', { name: t('statistics.menu') }).click();
      await page.locator('.menu-item', { hasText: t(key) }).click();
    };
    await menu('statistics.makeDefault');
    await page.getByRole('tab', { name: `${name} ${t('statistics.default')}` }).waitFor();
    await menu('statistics.copy');
    const copy = page.getByRole('tab', { name: t('statistics.copyOf', { name }) });
    await copy.and(page.locator('[aria-selected="true"]')).waitFor();
    await menu('statistics.delete');
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('statistics.delete') })
      .click();
    await copy.waitFor({ state: 'detached' });
    // What opens first now is the default.
    await page.goto('/bussinessStatistics/statistics');
    await page.getByRole('tab', { selected: true, name }).waitFor();

    await page.goto('/bussinessStatistics/statistics?tab=overview&preset=last3Months');
    const whole = page.getByRole('region', { name: t('statistics.table', { title: t('statistics.overview') }) });
    const total = whole.getByRole('row', { name: t('statistics.total') });
    await total.waitFor();
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('ui.export') }).click(),
    ]);
    const lines = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n')
      .slice(1);
    const sum = lines.reduce((all, line) => all + Number(line.split(',')[1]), 0);
    const shown = await total.getByRole('cell').first().textContent();
    assert.equal(Number(shown?.replaceAll(/\D/g, '')), sum);
    assert.ok(sum > 0);
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('statistics.png') }).click(),
    ]);
    assert.deepEqual([...readFileSync(await png.path()).subarray(1, 4)], [...Buffer.from('PNG')]);

    // A point of the picture opens as many records as it counts.
    const [picture, hint] = [page.locator('.statistics-picture'), page.locator('.chart-hint')];
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
    // Once it is drawn the picture hears a pointer that comes to it.
    await until(
      async () => {
        await page.mouse.move(0, 0);
        await picture.hover({ position: { x: width / 2, y: height / 2 } });
        await hint.getByText(t('statistics.hint')).waitFor({ timeout: 2_000 });
        return true;
      },
      { what: 'what is under the pointer' },
    );
    const counted = await hint.locator('.is-target').textContent();
    await picture.click({ position: { x: width / 2, y: height / 2 } });
    await page.getByRole('heading', { level: 1, name: t('records.title') }).waitFor();
    const found = await context.request.get(`/api/v1/records${new URL(page.url()).search}`, {
      headers: { accept: 'text/csv' },
    });
    const records = (await found.text()).match(/\r\n\d{15,},/g)?.length ?? 0;
    assert.equal(records, Number(counted?.replaceAll(/\D/g, '')));
    assert.ok(records > 0);
    await page.goBack();

    await total.getByRole('link', { name: t('statistics.records') }).click();
    await page.getByRole('heading', { level: 1, name: t('records.title') }).waitFor();
    await page.getByRole('table').getByRole('row').nth(1).waitFor();
    assert.match(page.url(), /from=.+to=/);
    // The refusal past the bounds is noted by the browser, and no error.
    assert.deepEqual(
      errors.filter((text) => !text.includes('status of 400')),
      [],
    );
    await context.close();
  });

test('everybody has three ready charts, and a new chart is seen and named before it is added', async () => {
  const t = wordsOf('en-US');
  const { page, context, errors } = await openVisitor(browser, product.url, {
    locale: 'en-US',
    width: 1440,
    height: 960,
  });
  await context.request.post('/api/v1/session', { data: { account: 'demo', password: 'Demo@1234' } });
  await page.goto('/bussinessStatistics/statistics?tab=overview');
  for (const tab of ['volume', 'failures', 'delivery']) {
    const title = t(`statistics.ready.${tab}`);
    await page.getByRole('tab', { name: title }).click();
    await page.getByRole('tabpanel', { name: title }).locator('.statistics-canvas canvas').first().waitFor();
    await page.getByRole('region', { name: t('statistics.table', { title }) }).waitFor();
  }
  const numbers = page.getByRole('region', { name: t('statistics.table', { title: t('statistics.ready.delivery') }) });
  await numbers.getByRole('columnheader', { name: t('statistics.metric.receiptSuccessRate') }).waitFor();
  assert.match((await numbers.getByRole('row', { name: 'Globe' }).first().textContent()) ?? '', /\d%/);

  // What is shown is where a new chart begins.
  await page.getByRole('button', { name: t('statistics.add') }).click();
  const form = page.getByRole('dialog', { name: t('statistics.add') });
  const name = form.getByLabel(t('statistics.form.name'));
  const [rate, carrier] = [t('statistics.metric.receiptSuccessRate'), t('statistics.dimension.carrier')];
  const preview = form.getByRole('region', { name: t('statistics.preview') });
  await preview.getByRole('img', { name: new RegExp(`${rate} · ${carrier}: ${rate} \\d`) }).waitFor();
  assert.equal(await name.inputValue(), `${rate} · ${carrier}`);
  await form.getByLabel(t('statistics.metric.receiptFailNum'), { exact: true }).check();
  await preview.getByRole('img', { name: new RegExp(`${t('statistics.metric.receiptFailNum')} \\d`) }).waitFor();
  const own = 'Mine alone';
  await name.fill(own);
  await form.getByLabel(carrier, { exact: true }).uncheck();
  await preview.getByRole('img', { name: new RegExp(`^${own}: `) }).waitFor();
  assert.equal(await name.inputValue(), own);
  assert.deepEqual(errors, []);
  await context.close();
});

test('dragging over a chart shows that period, and Back the whole one', async () => {
  const t = wordsOf('en-US');
  const { page, context, errors } = await openVisitor(browser, product.url, {
    locale: 'en-US',
    width: 1440,
    height: 960,
  });
  await context.request.post('/api/v1/session', { data: { account: 'demo', password: 'Demo@1234' } });
  await page.goto('/bussinessStatistics/statistics?tab=volume');
  const canvas = page.locator('.statistics-canvas');
  await canvas.locator('canvas').first().waitFor();
  await canvas.scrollIntoViewIfNeeded();
  const numbers = page.getByRole('region', {
    name: t('statistics.table', { title: t('statistics.ready.volume') }),
  });
  const drag = async () => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    await page.mouse.move(x + width * 0.4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.5, y + height / 2);
    await page.mouse.move(x + width * 0.62, y + height / 2);
    await page.mouse.up();
  };
  // Once it is drawn the picture knows its steps.
  await until(
    async () => {
      await drag();
      await page.waitForURL(/from=.+to=/, { timeout: 2_000 });
      return true;
    },
    { what: 'the period that was dragged over' },
  );
  const period = new URL(page.url()).searchParams;
  const days = (Date.parse(period.get('to') ?? '') - Date.parse(period.get('from') ?? '')) / 86_400_000;
  assert.ok(days >= 2 && days <= 5 && Number.isInteger(days), String(days));
  // No click of the picture.
  assert.match(page.url(), /statistics\?/);
  await numbers.getByRole('row').nth(2).waitFor();
  await page.goBack();
  await page.waitForURL((url) => !url.searchParams.has('from'));
  await page.getByRole('button', { name: t('statistics.preset.last14Days') }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
