/// <reference lib="dom" />
/** Whether a page keeps up with typing and scrolling. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Words } from './words.ts';

type Open = () => Promise<{ context: BrowserContext; page: Page }>;

interface TraceEvent {
  name: string;
  ph: string;
  tid: number;
  pid: number;
  dur?: number;
  /** Microseconds of them that the thread really ran. */
  tdur?: number;
  args?: { name?: string };
}

const text = 'Order {1} is ready at our store in Makati. Bring an id, and see you before 18:00 on Friday.';
const ROWS = 200;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Returns the longest task of the page's main thread while a text is typed into the template editor; milliseconds. On a
 * machine with other load a task also waits for its turn, so the time that it really ran is returned as well.
 */
export async function measureTyping(
  open: Open,
  browser: Browser,
  t: Words,
  runs: number,
): Promise<{ longestMs: number; longestRunMs: number; over16: number }> {
  const longest: number[] = [];
  const longestRun: number[] = [];
  const over: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { context, page } = await open();
    await page.goto('/smsTemplate');
    await page
      .getByRole('button', { name: t('templates.add') })
      .first()
      .click();
    const field = page.getByRole('dialog').getByLabel(t('templates.content'));
    await field.click();
    // The first keys warm up code that is compiled once.
    await page.keyboard.type('Hello, ', { delay: 30 });
    await page.waitForTimeout(500);
    await browser.startTracing(page, {
      categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
    });
    await page.keyboard.type(text, { delay: 30 });
    const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const tasks = mainThreadTasks(trace.traceEvents);
    longest.push(Math.max(...tasks.map(({ ms }) => ms)));
    longestRun.push(Math.max(...tasks.map(({ runMs }) => runMs)));
    over.push(tasks.filter(({ ms }) => ms > 16).length);
    await context.close();
  }
  return { longestMs: median(longest), longestRunMs: median(longestRun), over16: median(over) };
}

/** Each task of the page's process; the browser's own process has a main thread as well. */
function mainThreadTasks(events: readonly TraceEvent[]): { ms: number; runMs: number }[] {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(
      ({ name, ph, pid, tid }) =>
        ph === 'X' && (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask') && threads.has(`${pid} ${tid}`),
    )
    .map(({ dur = 0, tdur = dur }) => ({ ms: dur / 1000, runMs: tdur / 1000 }));
}

/** Frames while a list of 200 rows is scrolled by the wheel. */
export async function measureScroll(open: Open, runs: number): Promise<{ framesPerSecond: number; lateShare: number }> {
  const rates: number[] = [];
  const late: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { context, page } = await open();
    // The screen asks for a page of twenty; here it is given the longest that the API has.
    await page.route(/\/api\/v1\/records(\?|$)/, async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', String(ROWS));
      await route.continue({ url: url.href });
    });
    await page.goto('/bussinessStatistics/sendRecord');
    await page.getByRole('table').getByRole('row').nth(ROWS).waitFor({ state: 'attached' });
    await page.waitForTimeout(500);
    await page.evaluate(() => {
      const times: number[] = [];
      (globalThis as unknown as { frames: number[] }).frames = times;
      const next = (now: number) => {
        times.push(now);
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    await page.mouse.move(720, 500);
    for (let step = 0; step < 60; step++) {
      await page.mouse.wheel(0, 120);
      await page.waitForTimeout(16);
    }
    const times = await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
    const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
    rates.push((gaps.length / spanMs) * 1000);
    late.push((gaps.filter((gap) => gap > 25).length / gaps.length) * 100);
    await context.close();
  }
  return { framesPerSecond: median(rates), lateShare: median(late) };
}
