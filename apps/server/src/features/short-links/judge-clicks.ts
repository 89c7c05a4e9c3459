/**
 * Classifies clicks and counts them by minute, in one transaction: a click is counted once, whatever process ends in
 * between. Clicks before the receipt of their message wait a while, because receipts are late more often than people
 * are early.
 */
import { withTransaction } from '@pahatid/db';
import {
  addClickCells,
  type ClickCell,
  type ClickedMessage,
  findClickedMessages,
  findFirstReceipt,
  listOpenClicks,
  lockJudge,
  markFirstClicks,
  type OpenClick,
  setVerdicts,
} from '@pahatid/db/queries/link-clicks';
import { type ClickVerdict, judgeClick } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { JobContext } from '../../sending/job-context.ts';

const clicksAtOnce = 1_000;
/** How soon one that waits for a receipt is looked at again. */
const againMs = 15_000;
const minuteMs = 60_000;

interface Judged {
  click: OpenClick;
  message: ClickedMessage | undefined;
  verdict: ClickVerdict | null;
}

/** Returns true when there may be more work immediately. */
export async function judgeClicks({ pool, offsetMs }: JobContext): Promise<boolean> {
  return withTransaction(pool, async (tx) => {
    if (!(await lockJudge(tx))) return false;
    const clicks = await listOpenClicks(tx, clicksAtOnce, offsetMs);
    if (clicks.length === 0) return false;
    const nowMs = Date.now() + offsetMs;
    const judged = await judgeAll(tx, clicks, nowMs);
    await count(tx, judged);
    await setVerdicts(
      tx,
      judged.map(({ click, verdict }) => ({
        code: click.code,
        clickId: click.clickId,
        verdict,
        judgeAt: verdict === null ? new Date(nowMs + againMs) : null,
      })),
    );
    return clicks.length === clicksAtOnce;
  });
}

async function judgeAll(tx: PoolClient, clicks: readonly OpenClick[], nowMs: number): Promise<Judged[]> {
  const messages = new Map<string, ClickedMessage>();
  for (const [customerId, of] of Map.groupBy(clicks, (click) => click.customerId)) {
    const ids = [...new Set(of.flatMap(({ messageId }) => messageId ?? []))];
    if (ids.length === 0) continue;
    for (const message of await findClickedMessages(tx, customerId, ids)) messages.set(message.messageId, message);
  }
  const receipts = new Map<string, number | null | undefined>();
  const judged: Judged[] = [];
  for (const click of clicks) {
    const message = click.messageId === null ? undefined : messages.get(click.messageId);
    const receiptAtMs =
      click.messageId !== null
        ? message && (message.reportAt?.getTime() ?? null)
        : await firstReceiptOf(tx, click, receipts);
    judged.push({
      click,
      message,
      verdict: judgeClick({ sign: click.sign, atMs: click.at.getTime(), receiptAtMs, nowMs }),
    });
  }
  return judged;
}

/** For a shared code; no receipt is expected for one that no task sent, or that represents a code per recipient. */
async function firstReceiptOf(
  tx: PoolClient,
  click: OpenClick,
  known: Map<string, number | null | undefined>,
): Promise<number | null | undefined> {
  if (click.mode !== 'shared' || click.sign !== null) return undefined;
  if (click.firstReceiptAt !== null) return click.firstReceiptAt.getTime();
  if (!known.has(click.linkId)) {
    const { hasTask, at } = await findFirstReceipt(tx, click.customerId, click.linkId);
    known.set(click.linkId, hasTask ? (at?.getTime() ?? null) : undefined);
  }
  return known.get(click.linkId);
}

async function count(tx: PoolClient, judged: readonly Judged[]): Promise<void> {
  const done = judged.filter((each): each is Judged & { verdict: ClickVerdict } => each.verdict !== null);
  if (done.length === 0) return;
  const people = done.filter(({ click, verdict }) => verdict === 'human' && click.messageId !== null);
  const earliest = new Map<string, Date>();
  for (const { click } of people) {
    const before = earliest.get(click.code);
    if (before === undefined || click.at < before) earliest.set(click.code, click.at);
  }
  const first = await markFirstClicks(
    tx,
    [...earliest].map(([code, at]) => ({ code, at })),
  );
  const counted = new Set<string>();
  const cells = new Map<string, ClickCell>();
  for (const each of done) {
    const { click, verdict } = each;
    const isFirst =
      verdict === 'human' &&
      first.has(click.code) &&
      !counted.has(click.code) &&
      click.at.getTime() === earliest.get(click.code)?.getTime();
    if (isFirst) counted.add(click.code);
    addTo(cells, cellOf(each, isFirst));
  }
  // In one order, so that no two processes can deadlock.
  await addClickCells(
    tx,
    [...cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell),
  );
}

const cellOf = ({ click, message, verdict }: Judged & { verdict: ClickVerdict }, isFirst: boolean): ClickCell => ({
  customerId: click.customerId,
  linkId: click.linkId,
  minute: new Date(Math.floor(click.at.getTime() / minuteMs) * minuteMs),
  taskId: message?.taskId ?? '',
  areaCode: message?.areaCode ?? '',
  carrier: message?.carrier ?? '',
  os: click.os,
  browser: click.browser,
  device: click.device,
  verdict,
  clicks: 1,
  firsts: isFirst ? 1 : 0,
  firstAt: click.at,
  lastAt: click.at,
});

function addTo(cells: Map<string, ClickCell>, cell: ClickCell): void {
  const { customerId, linkId, minute, taskId, areaCode, carrier, os, browser, device, verdict } = cell;
  const key = [customerId, linkId, minute.toISOString(), taskId, areaCode, carrier, os, browser, device, verdict].join(
    '|',
  );
  const before = cells.get(key);
  if (before === undefined) {
    cells.set(key, cell);
    return;
  }
  before.clicks += 1;
  before.firsts += cell.firsts;
  if (cell.firstAt < before.firstAt) before.firstAt = cell.firstAt;
  if (cell.lastAt > before.lastAt) before.lastAt = cell.lastAt;
}
