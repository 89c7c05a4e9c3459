import {
  type ClickDimension,
  type ClickFigures,
  clickDimensions,
  clickPartLimit,
  type LinkStatistics,
} from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import {
  type ClickFilter,
  listClickNames,
  listLinksOfApplication,
  sumClicks,
  sumClicksByPart,
  sumClicksByTime,
  sumDeliveryOfLinks,
} from '@pahatid/db/queries/link-statistics';
import { findShortLink } from '@pahatid/db/queries/short-links';
import type { FastifyInstance } from 'fastify';
import { chooseSpan } from '../../http/choose-span.ts';
import { type CsvColumn, csvAnswer } from '../../http/csv.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { zoneNamed } from '../../http/zone.ts';
import { presentFigures, presentWhole } from './present-link.ts';

export function registerLinkStatistics(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /short-links/statistics', async (call) => {
    const { query, user, scope, inScope, inReadScope, wantsCsv } = call;
    const zone = zoneNamed(query.zone ?? user.zone);
    if (zone === null) throw fieldProblem('zone', 'NOT_AN_OPTION');
    const customerId = getCustomerId(scope);
    const { linkId, appId, taskId, unit } = query;
    const { linkIds, delivery } = await inScope(async (tx) => {
      if (linkId !== undefined && (await findShortLink(tx, customerId, linkId)) === null)
        throw new ProblemError('NOT_FOUND');
      const ofApp = appId === undefined ? null : await listLinksOfApplication(tx, customerId, appId);
      const chosen = linkId === undefined ? ofApp : [linkId].filter((id) => ofApp?.includes(id) ?? true);
      return { linkIds: chosen, delivery: await sumDeliveryOfLinks(tx, customerId, chosen, taskId) };
    });
    const delivered = delivery.reduce((sum, each) => sum + each.delivered, 0);
    const found = await inReadScope(async (tx) => {
      const span = await chooseSpan(tx, { ...query, zone, now: deps.now() });
      const filter: ClickFilter = { customerId, linkIds, taskId, from: span.from, to: span.to };
      const parts = {} as LinkStatistics['parts'];
      for (const dimension of clickDimensions)
        parts[dimension] = (await sumClicksByPart(tx, filter, dimension, zone, clickPartLimit)).map((row) => ({
          key: row.key,
          ...presentFigures(row),
        }));
      const items = (await sumClicksByTime(tx, filter, span.steps)).flatMap((row) => {
        const time = span.steps[row.step - 1];
        return time === undefined ? [] : [{ logDate: time.toISOString(), ...presentFigures(row) }];
      });
      return { span, parts, items, totals: presentWhole(await sumClicks(tx, filter), delivered) };
    });
    const idsOf = (dimension: ClickDimension) => (found.parts[dimension] ?? []).flatMap(({ key }) => key || []);
    const names = await inScope((tx) => listClickNames(tx, { linkIds: idsOf('linkId'), taskIds: idsOf('taskId') }));
    const { span, parts, items, totals } = found;
    if (wantsCsv) return partsAnswer(query.dimension, items, parts, names);
    return {
      from: span.from.toISOString(),
      to: span.to.toISOString(),
      zone,
      unit,
      isShortened: span.isShortened,
      times: span.steps.map((time) => time.toISOString()),
      totals,
      items,
      parts,
      names,
    } satisfies LinkStatistics;
  });
}

type Line = ClickFigures & { key: string };

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });
const keyHeads: Record<ClickDimension | 'logDate', { 'zh-CN': string; 'en-US': string }> = {
  logDate: head('时间', 'Time'),
  linkId: head('短链', 'Short link'),
  taskId: head('任务', 'Task'),
  carrier: head('运营商', 'Carrier'),
  areaCode: head('国家/地区', 'Country/region'),
  os: head('系统', 'System'),
  browser: head('浏览器', 'Browser'),
  device: head('设备', 'Device'),
  hour: head('小时', 'Hour'),
};

function partsAnswer(
  dimension: ClickDimension | 'logDate',
  items: LinkStatistics['items'],
  parts: LinkStatistics['parts'],
  names: Readonly<Record<string, string>>,
) {
  const lines: Line[] =
    dimension === 'logDate'
      ? items.map(({ logDate, ...figures }) => ({ key: logDate, ...figures }))
      : (parts[dimension] ?? []).map((part) => ({ ...part, key: names[part.key] ?? part.key }));
  const columns: readonly CsvColumn<Line>[] = [
    { head: keyHeads[dimension], value: (row) => row.key },
    { head: head('点击数', 'Clicks'), value: (row) => row.clickCount },
    { head: head('真人点击', 'Human clicks'), value: (row) => row.humanCount },
    { head: head('程序点击', 'Bot clicks'), value: (row) => row.robotCount },
    { head: head('点击人数', 'Recipients who clicked'), value: (row) => row.recipientCount },
  ];
  return csvAnswer({ fileName: 'short-link-statistics', columns, rows: each(lines) });
}

async function* each<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}
