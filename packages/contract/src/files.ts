import { z } from 'zod';
import { FileStatus, Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, numeric, uuid } from './shapes.ts';

const columnIndex = z.number().int().min(0).max(255);

/** How the columns of a file are read. */
const fileReading = z.strictObject({
  hasHeader: z.boolean(),
  phoneColumn: columnIndex,
  sheetName: z.string().max(100).optional(),
});

const file = z.object({
  fileId: uuid,
  fileName: z.string(),
  size: count,
  fileStatus: z.enum(FileStatus),
  /** Catalogue code and parameters if the file can't be used. */
  error: z
    .object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() })
    .nullable(),
  /** Share of the bytes read so far, 0 to 100. */
  progress: z.number(),
  /** While the file is processing: rows read so far. */
  totalRows: count,
  /** While the file is processing: expected number of rows; null until known. */
  estimatedRows: count.nullable(),
  /** Until the file is read, at the current pace; null until known. */
  remainingSeconds: count.nullable(),
  /** True while other files are read first. */
  isWaiting: z.boolean(),
  validCount: count,
  duplicateCount: count,
  rejectedCount: count,
  optedOutCount: count,
  /** Header names, or names made from the column's letter; `first` is the first row's value. */
  columns: z.array(z.object({ index: columnIndex, name: z.string(), first: z.string() })),
  /** The first rows as text, by column. */
  sample: z.array(z.array(z.string())),
  sheetNames: z.array(z.string()),
  reading: fileReading.nullable(),
  createTime: instant,
});
export type File = z.output<typeof file>;

/** One valid row: what fills the variables of a text. */
const fileRow = z.object({
  /** Line of the file, counted from 1. */
  line: count,
  /** Cells by column; '' in the place of the phone number, in gaps and for a formula. */
  values: z.array(z.string()),
});

const params = z.object({ fileId: uuid });
const writers = [Role.Owner, Role.Member] as const;

export const fileRoutes = {
  'POST /files': route({
    summary: 'Upload a csv, xls or xlsx of phone numbers (multipart, field `file`); parsing goes on afterwards',
    access: writers,
    multipart: true,
    status: 202,
    response: z.object({ fileId: uuid }),
    errors: [
      'FILE_EXTENSION',
      'FILE_CONTENT_MISMATCH',
      'FILE_EMPTY',
      'FILE_TOO_LARGE',
      'FILE_UPLOAD_BROKEN',
      'FILE_LIMIT_REACHED',
      'FILE_STORAGE_FULL',
      'STORAGE_FULL',
    ],
  }),
  'GET /files/:fileId': route({
    summary: 'State, counts, columns and sample of an uploaded file',
    access: [...writers, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const,
    params,
    response: file,
  }),
  'GET /files/:fileId/rows': route({
    summary: 'Some of the valid rows, by their place among all of them, counted from 0',
    access: writers,
    params,
    query: z.strictObject({
      from: numeric(z.number().int().min(0).max(10_000_000)).default(0),
      limit: numeric(z.number().int().min(1).max(50)).default(20),
    }),
    response: z.object({ items: z.array(fileRow), total: count }),
    errors: ['FILE_PROCESSING', 'FILE_NOT_USABLE'],
  }),
  'POST /files/:fileId/read': route({
    summary: 'Read the file again: another sheet, whose columns are found; or other columns, given together',
    access: writers,
    params,
    status: 202,
    body: fileReading
      .partial()
      .refine(({ hasHeader, phoneColumn }) => (hasHeader === undefined) === (phoneColumn === undefined)),
    response: file,
    errors: ['FILE_PROCESSING', 'FILE_IN_USE', 'FILE_EXPIRED'],
  }),
  'GET /files/:fileId/rejects': route({
    summary: 'The rejected rows with line, text and reason',
    access: writers,
    params,
    query: z.strictObject({ lang: z.enum(['zh-CN', 'en-US']).default('en-US') }),
    answer: 'csv',
  }),
  'DELETE /files/:fileId': route({
    summary: 'Remove a file that no task uses',
    access: writers,
    params,
    answer: 'empty',
    status: 204,
    errors: ['FILE_IN_USE'],
  }),
};
