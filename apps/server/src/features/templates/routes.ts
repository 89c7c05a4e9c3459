import {
  countTemplates,
  findTaskOfTemplate,
  findTemplate,
  getCustomerId,
  listTemplates,
  listTemplateVersions,
  lockTemplate,
  removeTemplate,
  type TemplateRow,
} from '@pahatid/db';
import { toDomain } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { type CursorPart, decodeCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { editTemplate } from './edit-template.ts';
import { presentTemplate, presentUsage, presentVersion, templateColumns } from './present-template.ts';
import { readUsage } from './read-usage.ts';
import { submitTemplate } from './submit-template.ts';

const keyParts: Record<string, readonly CursorPart[]> = {
  '-updateTime': ['time', 'uuid'],
  updateTime: ['time', 'uuid'],
  templateName: ['text', 'uuid'],
};

export function registerTemplates(app: FastifyInstance, deps: ApiDeps): void {
  const readRules = makeReviewRules(deps.pools.control);
  const ownDomain = toDomain(deps.config.shortUrl);

  serve(app, 'GET /templates/rules', async () => {
    const { terms } = await readRules();
    const prohibited = terms.map(({ exempt = [], ...term }) => ({ ...term, exempt: [...exempt] }));
    return { optOutNumber: deps.config.optOutNumber, prohibited };
  });

  serveList(app, 'GET /templates', async ({ query, scope, inScope, inDataScope }) => {
    const { sort } = query;
    const rules = await readRules();
    const keyOf = (row: TemplateRow) => [sort === 'templateName' ? row.nameKey : row.updateKey, row.templateId];
    const readPage = async (cursor: string | undefined, limit: number) => {
      const filter = {
        ...query,
        customerId: getCustomerId(scope),
        sendable: query.sendable === '1',
        after: decodeCursor(cursor, sort, keyParts[sort] ?? []),
        limit: limit + 1,
      };
      const { rows, nextCursor, total } = await inScope(async (tx) => ({
        ...toPage(await listTemplates(tx, filter), limit, sort, keyOf),
        total: await countTemplates(tx, filter),
      }));
      const usage = await readUsage({ inScope, inDataScope }, rows);
      const items = rows.map((row) => ({
        ...presentTemplate(row, scope, rules),
        usage: presentUsage(usage.get(row.templateId)),
      }));
      return { items, nextCursor, total };
    };
    return { fileName: 'templates', columns: templateColumns, readPage };
  });

  serve(app, 'POST /templates', (call) => submitTemplate(call, readRules, ownDomain));

  serve(app, 'GET /templates/:templateId', async ({ params: { templateId }, scope, inScope, inDataScope }) => {
    const rules = await readRules();
    const { row, versions } = await inScope(async (tx) => {
      const found = await findTemplate(tx, getCustomerId(scope), templateId);
      if (found === null) throw new ProblemError('NOT_FOUND');
      return { row: found, versions: await listTemplateVersions(tx, templateId) };
    });
    const usage = await readUsage({ inScope, inDataScope }, [row]);
    return {
      ...presentTemplate(row, scope, rules),
      usage: presentUsage(usage.get(templateId)),
      versions: versions.map(presentVersion),
    };
  });

  serve(app, 'PATCH /templates/:templateId', (call) => editTemplate(call, readRules, ownDomain));

  serve(app, 'DELETE /templates/:templateId', ({ params: { templateId }, scope, inScope, audit }) =>
    inScope(async (tx) => {
      const customerId = getCustomerId(scope) ?? '';
      if (!(await lockTemplate(tx, customerId, templateId))) throw new ProblemError('NOT_FOUND');
      const taskName = await findTaskOfTemplate(tx, customerId, templateId);
      if (taskName !== null) throw new ProblemError('TEMPLATE_IN_USE', { taskName });
      await removeTemplate(tx, templateId);
      await audit(tx, { action: 'delete', subjectType: 'template', subjectId: templateId });
      return undefined;
    }),
  );
}
