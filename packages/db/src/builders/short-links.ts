/** Short links, the codes that went out with messages, and clicks that were judged and counted. */
import type { LinkMode, UseState } from '@pahatid/contract';
import type { ClickVerdict } from '@pahatid/domain';
import type pg from 'pg';
import { uuidV7 } from '../ids.ts';
import { addClickCells, type ClickCell, insertClicks, markFirstClicks, setVerdicts } from '../queries/link-clicks.ts';
import { insertLinkCodes, insertLinkTasks, insertShortLink } from '../queries/short-links.ts';
import { type Db, run, sql } from '../sql.ts';

export interface ShortLinkSpec {
  customerId: string;
  linkName: string;
  domain: string;
  code: string;
  targetUrl: string;
  mode?: LinkMode;
  fallbackUrl?: string | null;
  appId?: string | null;
  templateId?: string | null;
  createdBy?: string | null;
  createdAt?: Date;
  expireTime?: Date;
  useState?: UseState;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

export const buildShortLink = async (db: Db, spec: ShortLinkSpec): Promise<string> => {
  const linkId = uuidV7();
  const at = spec.createdAt ?? new Date();
  const made = await insertShortLink(db, {
    linkId,
    mode: 'perRecipient',
    fallbackUrl: null,
    appId: null,
    templateId: null,
    createdBy: null,
    useState: 1,
    expireTime: new Date(at.getTime() + 90 * dayMs),
    at,
    ...spec,
  });
  if (!made) throw new Error(`the code ${spec.code} is taken`);
  return linkId;
};

/** A code contained in a message, and its clicks. */
export interface CodeSpec {
  code: string;
  /** Null: the link's own code. */
  messageId: bigint | null;
  taskId: string | null;
  areaCode: string;
  carrier: string;
  clicks: readonly { at: Date; os: string; browser: string; device: string; verdict: ClickVerdict }[];
}

/** Codes and clicks of one link, with all that follows from them: verdicts, first clicks, counts by minute. */
export const buildClicks = async (
  tx: pg.PoolClient,
  { customerId, linkId }: { customerId: string; linkId: string },
  codes: readonly CodeSpec[],
): Promise<void> => {
  await insertLinkCodes(
    tx,
    codes.flatMap(({ code, messageId }) => (messageId === null ? [] : [{ code, customerId, linkId, messageId }])),
  );
  const taskIds = [...new Set(codes.flatMap(({ taskId }) => taskId ?? []))];
  await insertLinkTasks(
    tx,
    taskIds.map((taskId) => ({ customerId, linkId, taskId })),
  );
  const clicks = codes.flatMap((of) => of.clicks.map((click) => ({ of, click, clickId: uuidV7(click.at.getTime()) })));
  if (clicks.length === 0) return;
  await insertClicks(
    tx,
    clicks.map(({ of, click, clickId }) => ({
      code: of.code,
      clickId,
      customerId,
      linkId,
      at: click.at,
      os: click.os,
      browser: click.browser,
      device: click.device,
      sign: click.verdict === 'head' || click.verdict === 'scanner' ? click.verdict : null,
    })),
  );
  await setVerdicts(
    tx,
    clicks.map(({ of, click, clickId }) => ({ code: of.code, clickId, verdict: click.verdict, judgeAt: null })),
  );
  const firsts = new Map<string, number>();
  for (const { of, click } of clicks)
    if (click.verdict === 'human' && of.messageId !== null)
      firsts.set(of.code, Math.min(click.at.getTime(), firsts.get(of.code) ?? Number.POSITIVE_INFINITY));
  await markFirstClicks(
    tx,
    [...firsts].map(([code, ms]) => ({ code, at: new Date(ms) })),
  );
  const cells = new Map<string, ClickCell>();
  for (const { of, click } of clicks) {
    const minute = new Date(Math.floor(click.at.getTime() / minuteMs) * minuteMs);
    const { os, browser, device, verdict, at } = click;
    const key = [minute.toISOString(), of.taskId, of.carrier, os, browser, device, verdict].join('|');
    const cell = cells.get(key) ?? {
      customerId,
      linkId,
      minute,
      taskId: of.taskId ?? '',
      areaCode: of.areaCode,
      carrier: of.carrier,
      os,
      browser,
      device,
      verdict,
      clicks: 0,
      firsts: 0,
      firstAt: at,
      lastAt: at,
    };
    cell.clicks += 1;
    if (verdict === 'human' && firsts.get(of.code) === at.getTime()) cell.firsts += 1;
    if (at < cell.firstAt) cell.firstAt = at;
    if (at > cell.lastAt) cell.lastAt = at;
    cells.set(key, cell);
  }
  await addClickCells(tx, [...cells.values()]);
  const receipts = clicks.filter(({ click }) => click.verdict === 'human').map(({ click }) => click.at.getTime());
  if (receipts.length > 0)
    await run(
      tx,
      sql`update short_link set first_receipt_at = ${new Date(Math.min(...receipts))} where link_id = ${linkId} and mode = 'shared'`,
    );
};
