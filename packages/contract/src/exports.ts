import { z } from 'zod';
import { recordColumnNames, recordFilters } from './records.ts';
import { route } from './route.ts';
import { appId, count, instant, listOf, page, testMode, uuid } from './shapes.ts';

const exportStates = ['waiting', 'running', 'ready', 'failed', 'cancelled', 'expired'] as const;

const exportJob = z.object({
  exportId: uuid,
  list: z.literal('records'),
  /** Whose software asked for it; null: a person. */
  appId: appId.nullable(),
  state: z.enum(exportStates),
  /** Rows written so far. */
  rowCount: count,
  /** Of the csv, bytes. */
  byteCount: count,
  /** How much of the time asked for is written. */
  percent: count,
  createTime: instant,
  endTime: instant.nullable(),
  /** When the file expires. */
  expireTime: instant.nullable(),
});
export type ExportJob = z.output<typeof exportJob>;

const params = z.object({ exportId: uuid });

export const exportRoutes = {
  'GET /exports': route({
    summary:
      'Exports of mine, and of software those of its application; who sees numbers whole sees those of software too',
    access: 'session',
    query: z.strictObject({ ...page, sort: z.enum(['-createTime', 'createTime']).default('-createTime') }),
    csv: true,
    response: listOf(exportJob),
    errors: ['CURSOR_INVALID'],
  }),
  'GET /exports/:exportId': route({
    summary: 'How far an export is',
    access: 'session',
    params,
    response: exportJob,
  }),
  'POST /exports': route({
    summary: 'Make a csv of all records that a filter finds, in the background',
    access: 'session',
    status: 202,
    body: z.strictObject({
      list: z.literal('records'),
      query: z.strictObject({ ...recordFilters, ...testMode }).default({}),
      /** In the order of the file; default all that this user may see. */
      columns: z.array(z.enum(recordColumnNames)).min(1).max(recordColumnNames.length).optional(),
    }),
    response: exportJob,
    errors: ['EXPORT_LIMIT', 'APP_NOT_FOUND'],
  }),
  'POST /exports/:exportId/cancel': route({
    summary: 'Stop an export that is under way',
    access: 'session',
    params,
    response: exportJob,
    errors: ['CONFLICT'],
  }),
  'GET /exports/:exportId/file': route({
    summary: 'The csv of an export that is ready, for those that it is listed for, for as long as it is kept',
    access: 'session',
    params,
    answer: 'csv',
  }),
  'DELETE /exports/:exportId': route({
    summary: 'Delete an export that has ended, with its file',
    access: 'session',
    params,
    answer: 'empty',
    errors: ['CONFLICT'],
  }),
};
