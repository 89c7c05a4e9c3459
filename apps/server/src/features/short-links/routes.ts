import { randomBytes } from 'node:crypto';
import { linkLimit, type ShortLink, UseState } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import { sumClicksByLink, sumDeliveryOfLinks } from '@pahatid/db/queries/link-statistics';
import {
  countShortLinks,
  findShortLink,
  findTaskOfLink,
  insertShortLink,
  listShortLinks,
  lockShortLinks,
  type NewShortLink,
  removeShortLink,
  type ShortLinkFields,
  type ShortLinkRow,
  updateShortLink,
} from '@pahatid/db/queries/short-links';
import { makeShortCodes, toDomain } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { versionConflict } from '../../http/versions.ts';
import { registerClicks } from './clicks.ts';
import { judgeTargets } from './judge-targets.ts';
import { assertOwnParts, readExpiry, readTarget } from './link-fields.ts';
import { registerLinkSafety } from './link-safety.ts';
import { type LinkFacts, linkColumns, presentLink } from './present-link.ts';
import { registerRedirect } from './redirect.ts';
import { registerLinkStatistics } from './statistics.ts';

const SORT = 'short-links';
const usualDays = 90;

/** What reads rows and figures of links, in the caller's own scope. */
type Reader = Pick<Call<'GET /short-links'>, 'scope' | 'inScope' | 'inDataScope'>;

export function registerShortLinks(app: FastifyInstance, deps: ApiDeps): void {
  const domain = toDomain(deps.config.shortUrl);
  const scheme = deps.config.shortUrl.startsWith('https:') ? 'https://' : 'http://';
  registerLinkStatistics(app, deps);
  registerClicks(app);
  registerRedirect(app, deps);
  registerLinkSafety(app, scheme);

  const factsOf = async (
    { scope, inScope, inDataScope }: Reader,
    rows: readonly ShortLinkRow[],
  ): Promise<LinkFacts> => {
    const customerId = getCustomerId(scope);
    const linkIds = rows.map((row) => row.linkId);
    const sums = await inDataScope((tx) => sumClicksByLink(tx, { customerId, linkIds }));
    const delivery = await inScope((tx) => sumDeliveryOfLinks(tx, customerId, linkIds));
    return {
      scheme,
      now: deps.now(),
      sums: new Map(sums.map((each) => [each.linkId, each])),
      delivery: new Map(delivery.map((each) => [each.linkId, each])),
    };
  };

  const read = async (call: Reader, linkId: string): Promise<ShortLink> => {
    const row = await call.inScope((tx) => getLink(tx, call.scope, linkId));
    return presentLink(row, await factsOf(call, [row]), call.scope);
  };

  serveList(app, 'GET /short-links', async (call) => {
    const { query, scope, inScope } = call;
    const { name, isReversed } = readOrder(SORT, query.sort, '-createTime');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const filter = {
        ...query,
        customerId: getCustomerId(scope),
        now: deps.now(),
        limit: limit + 1,
        after: decodeCursor(cursor, name, ['time', 'uuid']),
        isReversed,
      };
      const found = await inScope(async (tx) => ({
        rows: await listShortLinks(tx, filter),
        total: await countShortLinks(tx, filter),
      }));
      const { rows, nextCursor } = toPage(found.rows, limit, name, (row) => [row.createKey, row.linkId]);
      const facts = await factsOf(call, rows);
      return { items: rows.map((row) => presentLink(row, facts, scope)), nextCursor, total: found.total };
    };
    return { fileName: 'short-links', columns: linkColumns, readPage };
  });

  serve(app, 'POST /short-links', async (call) => {
    const { body, user, scope, inScope, audit } = call;
    const customerId = getCustomerId(scope) ?? '';
    const now = deps.now();
    const link = {
      linkId: uuidV7(),
      customerId,
      domain,
      mode: body.mode,
      createdBy: user.userId,
      at: now,
      linkName: body.linkName,
      targetUrl: readTarget('targetUrl', body.targetUrl, domain),
      fallbackUrl: body.fallbackUrl === null ? null : readTarget('fallbackUrl', body.fallbackUrl, domain),
      appId: body.appId,
      templateId: body.templateId,
      expireTime: readExpiry(body, now) ?? readExpiry({ expiryDays: usualDays }, now)!,
      useState: UseState.Enabled,
    };
    await inScope(async (tx) => {
      await assertOwnParts(tx, customerId, link);
      const auditStatus = await judgeTargets(tx, customerId, link);
      await lockShortLinks(tx, customerId);
      if ((await countShortLinks(tx, { customerId, now, limit: 1 })) >= linkLimit)
        throw new ProblemError('LINK_LIMIT', { limit: linkLimit });
      await insertWithCode(tx, { ...link, auditStatus });
      await audit(tx, { action: 'add', subjectType: 'shortLink', subjectId: link.linkId, after: body });
    });
    return read(call, link.linkId);
  });

  serve(app, 'GET /short-links/:linkId', (call) => read(call, call.params.linkId));

  serve(app, 'PATCH /short-links/:linkId', async (call) => {
    const { body, params, user, scope, inScope, audit } = call;
    const customerId = getCustomerId(scope) ?? '';
    const { version: seen, ...change } = body;
    const now = deps.now();
    await inScope(async (tx) => {
      const before = await getLink(tx, scope, params.linkId);
      const fields: ShortLinkFields = {
        linkName: body.linkName ?? before.linkName,
        targetUrl: body.targetUrl === undefined ? before.targetUrl : readTarget('targetUrl', body.targetUrl, domain),
        fallbackUrl:
          body.fallbackUrl === undefined
            ? before.fallbackUrl
            : body.fallbackUrl && readTarget('fallbackUrl', body.fallbackUrl, domain),
        appId: body.appId === undefined ? before.appId : body.appId,
        templateId: body.templateId === undefined ? before.templateId : body.templateId,
        expireTime: readExpiry(body, now) ?? before.expireTime,
        useState: body.useState ?? before.useState,
      };
      // An earlier choice may have been deleted since; only a new choice must exist.
      await assertOwnParts(tx, customerId, {
        appId: fields.appId === before.appId ? null : fields.appId,
        templateId: fields.templateId === before.templateId ? null : fields.templateId,
      });
      const isMoved = fields.targetUrl !== before.targetUrl || fields.fallbackUrl !== before.fallbackUrl;
      const standing = isMoved ? await judgeTargets(tx, customerId, fields) : null;
      if (
        !(await updateShortLink(
          tx,
          customerId,
          params.linkId,
          { seen, userId: user.userId },
          { ...fields, audit: standing },
          now,
        ))
      )
        throw await versionConflict(tx, 'short_link', params.linkId);
      const { linkName, targetUrl, fallbackUrl, expireTime, useState } = before;
      await audit(tx, {
        action: 'edit',
        subjectType: 'shortLink',
        subjectId: params.linkId,
        after: change,
        before: { linkName, targetUrl, fallbackUrl, expireTime: expireTime.toISOString(), useState },
      });
    });
    return read(call, params.linkId);
  });

  serve(app, 'DELETE /short-links/:linkId', async ({ params: { linkId }, scope, inScope, audit }) => {
    const customerId = getCustomerId(scope) ?? '';
    await inScope(async (tx) => {
      const { linkName, targetUrl, code } = await getLink(tx, scope, linkId);
      const taskName = await findTaskOfLink(tx, customerId, code);
      if (taskName !== null) throw new ProblemError('LINK_IN_USE', { taskName });
      if (!(await removeShortLink(tx, customerId, linkId, deps.now()))) throw new ProblemError('NOT_FOUND');
      await audit(tx, {
        action: 'delete',
        subjectType: 'shortLink',
        subjectId: linkId,
        before: { linkName, targetUrl, code },
      });
    });
    return undefined;
  });
}

async function getLink(tx: PoolClient | Pool, scope: Scope, linkId: string): Promise<ShortLinkRow> {
  const row = await findShortLink(tx, getCustomerId(scope), linkId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Retries with another code if one is taken, which hardly ever happens. */
async function insertWithCode(tx: PoolClient, link: Omit<NewShortLink, 'code'>): Promise<void> {
  for (const code of makeShortCodes(3, randomBytes)) if (await insertShortLink(tx, { ...link, code })) return;
  throw new Error('three short codes in a row were taken');
}
