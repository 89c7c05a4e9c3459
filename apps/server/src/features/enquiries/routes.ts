/** The contact form: enquiries are stored, and mailed to the staff that may read them. */
import { countAttempts } from '@pahatid/db';
import {
  type EnquiryRow,
  findEnquiry,
  insertEnquiry,
  listEnquiries,
  listEnquiryReaders,
  removeEnquiry,
} from '@pahatid/db/queries/enquiries';
import { isEmail } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { type RowOf, serveList } from '../../http/serve-list.ts';
import { giveTicket, useTicket } from '../../http/work-ticket.ts';
import { sendMail } from '../../mail/send-mail.ts';
import { writeEnquiryMail } from './enquiry-mail.ts';
import { enquiryLimits, type TicketRules, ticketLimits, ticketRules } from './limits.ts';

const SORT = 'enquiries';

export function registerEnquiries(app: FastifyInstance, deps: ApiDeps, rules: TicketRules = ticketRules): void {
  const { control } = deps.pools;

  serve(app, 'POST /enquiries/ticket', async ({ ip }) => {
    const now = deps.now();
    const ask = {
      purpose: 'enquiry',
      ip,
      now,
      limits: ticketLimits(ip, now),
      bits: rules.bits,
      waitMs: rules.leastFillMs,
    } as const;
    return giveTicket({ secrets: deps.secrets, pool: control }, ask);
  });

  serve(app, 'POST /enquiries', async ({ body, ip, withTransaction }) => {
    if (!isEmail(body.email))
      throw new ProblemError('VALIDATION_FAILED', undefined, [{ field: 'email', code: 'EMAIL' }]);
    const now = deps.now();
    const times = { leastAgeMs: rules.leastFillMs, lifeMs: rules.lifeMs };
    const use = { purpose: 'enquiry', given: body, ip, now, ...times } as const;
    if ((await useTicket({ secrets: deps.secrets, pool: control }, use)) === null)
      throw new ProblemError('CAPTCHA_FAILED');
    const counted = await countAttempts(control, enquiryLimits(ip, now));
    if ('refused' in counted) throw tooOften(counted.endsAt, now);
    // A program gets the same response as anyone, so that it detects nothing.
    if (body.website) return undefined;
    const enquiry = {
      name: body.name,
      company: body.company || null,
      email: body.email,
      phone: body.phone || null,
      message: body.message,
      locale: body.locale,
    };
    await withTransaction(async (tx) => {
      await insertEnquiry(tx, { ...enquiry, ip, createdAt: now });
      for (const { email, locale } of await listEnquiryReaders(tx))
        await sendMail(tx, { to: email, ...writeEnquiryMail(enquiry, locale, deps.config.publicUrl) });
    });
    return undefined;
  });

  serveList(app, 'GET /enquiries', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-time');
    return {
      fileName: 'enquiries',
      columns: enquiryColumns,
      readPage: async (cursor, limit) => {
        const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
        const found = await inScope((tx) => listEnquiries(tx, page));
        const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.enquiryId]);
        return { items: rows.map(presentEnquiry), nextCursor };
      },
    };
  });

  serve(app, 'GET /enquiries/:enquiryId', async ({ params, inScope }) => {
    const row = await inScope((tx) => findEnquiry(tx, params.enquiryId));
    if (row === null) throw new ProblemError('NOT_FOUND');
    return presentEnquiry(row);
  });

  serve(app, 'DELETE /enquiries/:enquiryId', async ({ params, inScope, audit }) => {
    await inScope(async (tx) => {
      if (!(await removeEnquiry(tx, params.enquiryId))) throw new ProblemError('NOT_FOUND');
      // Not its content, which must be deleted.
      await audit(tx, { action: 'delete', subjectType: 'enquiry', subjectId: params.enquiryId });
    });
    return undefined;
  });
}

const presentEnquiry = ({ createdAt, ...enquiry }: EnquiryRow) => ({ ...enquiry, time: createdAt.toISOString() });

const enquiryColumns: readonly CsvColumn<RowOf<'GET /enquiries'>>[] = [
  column('时间', 'Time', (row) => row.time),
  column('姓名', 'Name', (row) => row.name),
  column('公司', 'Company', (row) => row.company),
  column('邮箱', 'Email', (row) => row.email),
  column('电话', 'Phone', (row) => row.phone),
  column('留言', 'Message', (row) => row.message),
  column('语言', 'Language', (row) => row.locale),
];
