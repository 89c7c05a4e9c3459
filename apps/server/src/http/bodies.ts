/**
 * Request bodies. JSON: at most 1 MiB, or what its route allows, within 15 seconds. Uploads: aborted after 30 seconds without a byte or 30
 * minutes in total; each route sets its size limit. Nothing else is read.
 */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonLimitBytes } from './errors.ts';
import { parseJsonBody } from './json-body.ts';

const jsonDeadlineMs = 15_000;
const uploadIdleMs = 30_000;
const uploadDeadlineMs = 30 * 60_000;
/** Uploaded files, specification §9 shows no limit; ours is 200 MB. */
const uploadLimitBytes = 200 * 1024 * 1024;

export interface BodyTimes {
  readonly jsonDeadlineMs?: number;
  readonly uploadIdleMs?: number;
  readonly uploadDeadlineMs?: number;
}

export async function acceptBodies(app: FastifyInstance, times: BodyTimes = {}): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: jsonLimitBytes },
    (_request, body, done) => {
      try {
        done(null, parseJsonBody(String(body)));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  );
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      files: 1,
      fields: 10,
      parts: 11,
      fieldSize: 10_000,
      fieldNameSize: 100,
      headerPairs: 50,
      fileSize: uploadLimitBytes + 1,
    },
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    // What has no body has no end of one either: an event stream must not be taken for a slow upload.
    if (!hasBody(request)) return payload;
    const isUpload = request.headers['content-type']?.startsWith('multipart/') ?? false;
    const cut = limitTime(
      request,
      isUpload ? (times.uploadDeadlineMs ?? uploadDeadlineMs) : (times.jsonDeadlineMs ?? jsonDeadlineMs),
    );
    payload.once('end', cut.stop);
    reply.raw.once('close', cut.stop);
    if (isUpload) limitIdle(request, times.uploadIdleMs ?? uploadIdleMs);
    return payload;
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Closes the connection if a body does not finish in time: there is no point in responding to a client that does not
 * finish.
 */
function limitTime(request: FastifyRequest, ms: number): { stop: () => void } {
  const timer = setTimeout(() => request.raw.socket.destroy(), ms);
  timer.unref();
  return { stop: () => clearTimeout(timer) };
}

function limitIdle(request: FastifyRequest, ms: number): void {
  const { socket } = request.raw;
  const end = (): void => void socket.destroy();
  socket.setTimeout(ms, end);
  request.raw.once('close', () => {
    socket.removeListener('timeout', end);
    socket.setTimeout(0);
  });
}
