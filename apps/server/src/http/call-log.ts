/**
 * Log of the calls that software makes, for its developers. A call costs a small object in memory; batches are written
 * every second, outside any request. What comes while there is no room is counted, not recorded.
 */
import { apiPrefix } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { insertApiCalls, type NewApiCall, noteDroppedCalls } from '@pahatid/db/queries/api-calls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { maskBody, maskJson, maskValue } from './call-bodies.ts';
import type { ApiDeps } from './deps.ts';

const flushEveryMs = 1_000;
/** In memory, those being written included: what three seconds at the figure to hold bring. */
const maxCalls = 10_000;
const maxBodyChars = 16 * 1024 * 1024;
/** Rows of a transaction. */
const rowsAtOnce = 2_000;
/** Customers whose calls are counted that were not recorded, until the next write. */
const maxDroppedCustomers = 1_000;

/** The software that calls, known as soon as its key or password is found, refused or not. */
export interface KnownSoftware {
  /** In test mode the live customer and its live application. */
  readonly customerId: string;
  readonly appId: string;
  /** null: by the password of the application. */
  readonly keyId: string | null;
  readonly logsBodies: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    software: KnownSoftware | null;
    /** Of the catalogue, if the call was refused. */
    errorCode: string | null;
    /** As sent, where bodies are recorded. */
    sentBody: string | null;
  }
}

export interface CallLog {
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Writes the collected calls; one write at a time. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function makeCallLog({ pools, now, log }: Pick<ApiDeps, 'pools' | 'now' | 'log'>): CallLog {
  let calls: NewApiCall[] = [];
  let dropped = new Map<string, number>();
  /** Of collected calls and of those being written. */
  let held = { calls: 0, chars: 0 };
  let writing: Promise<void> | null = null;

  const drop = (customerId: string): void => {
    const count = dropped.get(customerId);
    if (count !== undefined || dropped.size < maxDroppedCustomers) dropped.set(customerId, (count ?? 0) + 1);
  };

  const writeDropped = async (): Promise<void> => {
    if (dropped.size === 0) return;
    const counts = dropped;
    dropped = new Map();
    await noteDroppedCalls(pools.data, counts, now());
  };

  const write = async (): Promise<void> => {
    try {
      while (calls.length > 0) {
        const taken = calls.slice(0, rowsAtOnce);
        calls = calls.slice(rowsAtOnce);
        try {
          await insertApiCalls(pools.data, taken);
        } catch (error) {
          // A failed write is harmless to the calls, which were answered.
          log.warn({ err: error, calls: taken.length }, 'API calls not recorded');
          for (const { customerId } of taken) drop(customerId);
        } finally {
          held = { calls: held.calls - taken.length, chars: held.chars - sumChars(taken) };
        }
      }
      await writeDropped();
    } catch (error) {
      log.warn({ err: error }, 'number of API calls that were not recorded is lost');
    }
  };
  const flush = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  };
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();

  return {
    note(request, reply) {
      const { software } = request;
      if (software === null) return;
      if (held.calls >= maxCalls || held.chars >= maxBodyChars) return drop(software.customerId);
      const call = toCall(request, reply, software, now());
      held = { calls: held.calls + 1, chars: held.chars + sumChars([call]) };
      calls.push(call);
    },
    flush,
    async stop() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}

const sumChars = (calls: readonly NewApiCall[]): number =>
  calls.reduce((sum, each) => sum + (each.requestBody?.length ?? 0) + (each.responseBody?.length ?? 0), 0);

function toCall(request: FastifyRequest, reply: FastifyReply, software: KnownSoftware, now: Date): NewApiCall {
  const { logsBodies, ...caller } = software;
  const path = toLogPath(request.url);
  return {
    ...caller,
    callId: uuidV7(now.getTime()),
    requestId: request.id,
    method: request.method,
    route: toOwnPath(request.routeOptions.url ?? path),
    path,
    status: reply.statusCode,
    errorCode: request.errorCode,
    durationMs: Math.round(reply.elapsedTime),
    // Without the zone of a link-local address, which the database has no place for.
    ip: request.ip.replace(/%.*$/, ''),
    requestBody: logsBodies ? maskBody(request.body) : null,
    responseBody: request.sentBody === null ? null : maskJson(request.sentBody),
  };
}

const toOwnPath = (path: string): string => (path.startsWith(`${apiPrefix}/`) ? path.slice(apiPrefix.length) : path);

const longestPath = 200;

/** The path of an address as the log has it: without prefix and query, numbers of phones masked. */
export function toLogPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const own = toOwnPath(path).slice(0, longestPath);
  return /\d{4}/.test(own) ? own.split('/').map(maskPart).join('/') : own;
}

/** Parts with letters are names and ids of ours, apart from numbers in other spellings (`%2B63…`). */
const maskPart = (part: string): string => {
  if (/^[0-9a-f]{8}-/i.test(part) || /^[a-z][\w-]*$/i.test(part)) return part;
  return maskValue('id', part);
};
