/**
 * One report of all that a regulator asks of a customer for a period, as csv: how long data is kept, who gets it, consents,
 * opt-outs, erasures, and the audit log of what was done with personal data. Read page by page as it is sent.
 */
import { recordDaysRange, uploadDaysRange } from '@pahatid/contract';
import { type AuditRowDetail, listAuditWithStates } from '@pahatid/db/queries/audit-log';
import {
  listReportedCarriers,
  listReportedConsents,
  listReportedErasures,
  listReportedOptOuts,
  type ReportPeriod,
} from '@pahatid/db/queries/privacy-report';
import { findRetention } from '@pahatid/db/queries/retention';
import { type CsvColumn, column } from '../../http/csv.ts';
import type { Read } from './file-mentions.ts';

const pageRows = 1_000;
/** What the audit log calls that is about personal data. */
const personalSubjects = ['number', 'privacy', 'consent', 'optOut', 'record', 'export', 'conversation'];

interface ReportLine {
  section: 'retention' | 'carrier' | 'consent' | 'optOut' | 'erasure' | 'audit';
  time: string;
  about: string;
  text: string;
  state: string;
  by: string;
}

export const reportColumns: readonly CsvColumn<ReportLine>[] = [
  column('部分', 'Section', (line) => line.section),
  column('时间', 'Time', (line) => line.time),
  column('对象', 'About', (line) => line.about),
  column('内容', 'Content', (line) => line.text),
  column('状态', 'State', (line) => line.state),
  column('操作人', 'By', (line) => line.by),
];

export async function* readReport(read: Read, period: ReportPeriod): AsyncGenerator<ReportLine> {
  yield* await read(async (tx) => {
    const retention = await findRetention(tx, period.customerId);
    const carriers = await listReportedCarriers(tx, period);
    return [
      keptFor('message records', retention?.recordDays ?? recordDaysRange.usual),
      keptFor('uploaded files', retention?.uploadDays ?? uploadDaysRange.usual),
      ...carriers.map(({ areaCode, carrier, messages }) =>
        line({ section: 'carrier', about: `${carrier} (${areaCode})`, text: `${messages} messages` }),
      ),
    ];
  });
  yield* eachOf(
    (after) => read((tx) => listReportedConsents(tx, period, after, pageRows)),
    (row) => [row.msisdn, row.givenKey],
    (row) =>
      line({
        section: 'consent',
        time: row.givenAt.toISOString(),
        about: row.msisdn,
        text: [row.source, row.wording, ...(row.fileName === null ? [] : [row.fileName])].join(' / '),
        state: row.withdrawnAt === null ? 'in force' : `withdrawn ${row.withdrawnAt.toISOString()}`,
        by: row.addedBy ?? '',
      }),
  );
  yield* eachOf(
    (after) => read((tx) => listReportedOptOuts(tx, period, after, pageRows)),
    (row) => [row.createdKey, row.key],
    (row) =>
      line({
        section: 'optOut',
        time: row.createdAt.toISOString(),
        about: row.msisdn,
        text: [row.source, ...(row.evidence === null ? [] : [row.evidence])].join(' / '),
        state: row.erasedAt === null ? '' : `number erased ${row.erasedAt.toISOString()}`,
        by: row.addedBy ?? '',
      }),
  );
  yield* eachOf(
    (after) => read((tx) => listReportedErasures(tx, period, after, pageRows)),
    (row) => [row.askedKey, row.erasureId],
    (row) =>
      line({
        section: 'erasure',
        time: row.askedAt.toISOString(),
        about: row.shownNumber,
        text: JSON.stringify(row.counts),
        state: row.doneAt === null ? 'in progress' : `done ${row.doneAt.toISOString()}`,
        by: row.askedBy ?? '',
      }),
  );
  yield* readAuditLines(read, period);
}

const line = (given: Partial<ReportLine> & Pick<ReportLine, 'section'>): ReportLine => ({
  time: '',
  about: '',
  text: '',
  state: '',
  by: '',
  ...given,
});

const keptFor = (about: string, days: number): ReportLine =>
  line({ section: 'retention', about, text: `${days} days` });

function readAuditLines(read: Read, { customerId, from, to }: ReportPeriod): AsyncGenerator<ReportLine> {
  const filter = { subjectType: personalSubjects, from, to };
  return eachOf(
    (after) =>
      read((tx) => listAuditWithStates(tx, customerId, filter, { isDescending: false, after, limit: pageRows })),
    (row) => [row.auditId],
    (row) =>
      line({
        section: 'audit',
        time: row.time.toISOString(),
        about: `${row.subjectType} ${row.subjectId}`,
        text: JSON.stringify({ before: row.before, after: row.after }),
        state: row.action,
        by: actorOf(row),
      }),
  );
}

/** Staff are not named to a customer. */
const actorOf = (row: AuditRowDetail): string => (row.isStaff ? 'staff' : (row.name ?? row.account ?? row.appId ?? ''));

async function* eachOf<Row>(
  readPage: (after: readonly string[] | null) => Promise<Row[]>,
  keyOf: (row: Row) => readonly string[],
  toLine: (row: Row) => ReportLine,
): AsyncGenerator<ReportLine> {
  let after: readonly string[] | null = null;
  for (;;) {
    const rows: Row[] = await readPage(after);
    for (const row of rows) yield toLine(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = keyOf(last);
  }
}
