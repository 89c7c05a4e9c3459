/** Serves a list that is read in pages: one page as JSON, or all rows as csv, each with the same reader. */
import type { CallResult, RouteKey } from '@pahatid/contract';
import type { FastifyInstance } from 'fastify';
import type { Call, Result } from './call.ts';
import { type CsvColumn, csvAnswer, eachRow } from './csv.ts';
import { serve } from './serve.ts';

interface ListQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** Routes whose response is a page and whose query names it. */
type ListRoute = {
  [K in RouteKey]: CallResult<K> extends ListPage<unknown> ? (Call<K>['query'] extends ListQuery ? K : never) : never;
}[RouteKey];

/** An item of a list, as its columns of csv read it. */
export type RowOf<K extends RouteKey> = CallResult<K> extends ListPage<infer Row> ? Row : never;

interface List<Row, Page extends ListPage<Row>> {
  /** Of the csv, without the extension. */
  readonly fileName: string;
  readonly columns: readonly CsvColumn<Row>[];
  /** Rows read at a time for the csv; no transaction stays open while a slow client reads them. */
  readonly csvPage?: number;
  readonly readPage: (cursor: string | undefined, limit: number) => Promise<Page>;
}

/** `prepare` runs once per call: it reads what all pages need and throws if the caller may not see the list. */
export function serveList<K extends ListRoute>(
  app: FastifyInstance,
  key: K,
  prepare: (call: Call<K>) => Promise<List<RowOf<K>, ListPage<RowOf<K>> & CallResult<K>>>,
): void {
  serve(app, key, async (call) => {
    const { fileName, columns, csvPage = 200, readPage } = await prepare(call);
    // `ListRoute` ensures both types; the compiler does not resolve them for an open K.
    const { cursor, limit } = call.query as ListQuery;
    const result = call.wantsCsv
      ? csvAnswer({ fileName, columns, rows: eachRow<RowOf<K>>((after) => readPage(after, csvPage)) })
      : await readPage(cursor, limit);
    return result as Result<K>;
  });
}
