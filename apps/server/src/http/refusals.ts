/**
 * Refused calls of customers' software, shown to its owner: counted by application, reason and hour in memory, and
 * written every few seconds, so that a flood of refusals costs a handful of rows.
 */
import { noteRefusals, type RefusalNote } from '@pahatid/db/queries/application-usage';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from './deps.ts';
import { ProblemError } from './problem.ts';

const flushEveryMs = 5_000;
/** Pairs of application and reason in memory; what comes when there is no room is not counted. */
const maxNotes = 2_000;

export interface Refusals {
  note(request: FastifyRequest, error: unknown): void;
  /** Writes the collected counts; one write at a time. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function makeRefusals({ pools, now, log }: Pick<ApiDeps, 'pools' | 'now' | 'log'>): Refusals {
  let notes = new Map<string, RefusalNote>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (notes.size === 0) return;
    const taken = [...notes.values()];
    notes = new Map();
    // A failed write is harmless: the refusal itself was sent.
    await noteRefusals(pools.control, taken).catch((error: unknown) =>
      log.warn({ err: error }, 'rejected calls of applications not recorded'),
    );
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();

  return {
    note(request, error) {
      if (!(error instanceof ProblemError) || error.status >= 500) return;
      if (request.routeOptions.config.byApplication !== true) return;
      const appId = request.application?.appId ?? claimedAppId(request.headers.authorization);
      if (appId === null) return;
      const key = `${appId} ${error.code}`;
      const known = notes.get(key);
      if (known === undefined && notes.size >= maxNotes) return;
      const at = now();
      const note = known ?? { appId, code: error.code, count: 0, at, ip: request.ip };
      notes.set(key, { ...note, count: note.count + 1, at, ip: request.ip.replace(/%.*$/, '') });
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Returns the claimed application id: an application that does not exist gets no row. */
function claimedAppId(header: string | undefined): string | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '') ?? [];
  const [, appId] = /^([A-Za-z0-9_-]{3,15}):/.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  return appId ?? null;
}
