/** Rules that answer phones by keyword: kept by owners, members and software, in one order for each application. */
import { type CallResult, type KeywordRule, keywordRuleLimit } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import { findApiTemplate } from '@pahatid/db/queries/api-messages';
import {
  addKeywordRule,
  changeKeywordRule,
  deleteKeywordRule,
  findKeywordRule,
  hasApplication,
  type KeywordRuleRow,
  listKeywordRules,
  lockKeywordRules,
  orderKeywordRules,
  type ShownKeywordRule,
} from '@pahatid/db/queries/keyword-rules';
import { chooseKeywordRule, compileTemplate, isKeyword, isOptOut, isOptOutKeyword } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

export function registerKeywordRules(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /keyword-rules', async ({ query, scope, inScope }) => ({
    keywordRules: (await inScope((tx) => listKeywordRules(tx, customerOf(scope), query.appId))).map(present),
  }));

  serve(app, 'POST /keyword-rules', async ({ body, scope, inScope, audit }) => {
    const customerId = customerOf(scope);
    const row = { ruleId: uuidV7(), ...body };
    assertKeywords(row.keywords);
    return inScope(async (tx) => {
      await assertApplication(tx, scope, body.appId);
      await assertTemplate(tx, customerId, row);
      await lockKeywordRules(tx, customerId);
      if ((await listKeywordRules(tx, customerId, undefined)).length >= keywordRuleLimit)
        throw new ProblemError('LIST_FULL', { limit: keywordRuleLimit });
      await addKeywordRule(tx, customerId, row);
      await audit(tx, { action: 'add', subjectType: 'keywordRule', subjectId: row.ruleId, after: toLogged(row) });
      return present(await getRule(tx, customerId, row.ruleId));
    });
  });

  serve(app, 'PATCH /keyword-rules/:ruleId', async ({ params: { ruleId }, body, scope, inScope, audit }) => {
    const customerId = customerOf(scope);
    const { place, ...fields } = body;
    if (fields.keywords !== undefined) assertKeywords(fields.keywords);
    return inScope(async (tx) => {
      await lockKeywordRules(tx, customerId);
      const before = await getRule(tx, customerId, ruleId);
      const row = { ...before, ...defined(fields) };
      if (row.templateId !== before.templateId) await assertTemplate(tx, customerId, row);
      await changeKeywordRule(tx, customerId, row);
      if (place !== undefined) await moveTo(tx, customerId, row, place);
      const log = { before: toLogged(before), after: { ...toLogged(row), ...(place !== undefined && { place }) } };
      await audit(tx, { action: 'edit', subjectType: 'keywordRule', subjectId: ruleId, ...log });
      return present(await getRule(tx, customerId, ruleId));
    });
  });

  serve(app, 'DELETE /keyword-rules/:ruleId', async ({ params: { ruleId }, scope, inScope, audit }) => {
    const customerId = customerOf(scope);
    await inScope(async (tx) => {
      await lockKeywordRules(tx, customerId);
      const before = toLogged(await getRule(tx, customerId, ruleId));
      await deleteKeywordRule(tx, customerId, ruleId);
      await audit(tx, { action: 'delete', subjectType: 'keywordRule', subjectId: ruleId, before });
    });
    return undefined;
  });

  serve(
    app,
    'POST /keyword-rules/test',
    async ({ body, scope, inScope }): Promise<CallResult<'POST /keyword-rules/test'>> => {
      const rules = await inScope(async (tx) => {
        await assertApplication(tx, scope, body.appId);
        return listKeywordRules(tx, customerOf(scope), body.appId);
      });
      const active = rules.filter(({ useState }) => useState === 1);
      const chosen = chooseKeywordRule(active, body.content, deps.now().getTime());
      return { isOptOut: isOptOut(body.content), rule: chosen === null ? null : present(chosen.rule) };
    },
  );
}

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const present = ({
  ruleId,
  appId,
  keywords,
  templateId,
  templateName,
  hours,
  useState,
}: ShownKeywordRule): KeywordRule => ({
  ruleId,
  appId,
  keywords: [...keywords],
  templateId,
  templateName,
  hours,
  useState,
});

const toLogged = ({ appId, keywords, templateId, hours, useState }: KeywordRuleRow) => ({
  appId,
  keywords: keywords.join(', '),
  templateId,
  hours: hours === null ? null : `${hours.from}-${hours.to}`,
  useState,
});

function customerOf(scope: Scope): string {
  const customerId = getCustomerId(scope);
  if (customerId === null) throw new Error('staff reached a route of customers');
  return customerId;
}

async function getRule(tx: PoolClient, customerId: string, ruleId: string): Promise<ShownKeywordRule> {
  const row = await findKeywordRule(tx, customerId, ruleId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

function assertKeywords(keywords: readonly string[]): void {
  for (const [index, keyword] of keywords.entries()) {
    if (!isKeyword(keyword)) throw fieldProblem(`keywords.${index}`, 'INVALID');
    if (isOptOutKeyword(keyword)) throw fieldProblem(`keywords.${index}`, 'OPT_OUT_WORD');
  }
}

/** Of the customer, and for software its own. */
async function assertApplication(tx: PoolClient, scope: Scope, appId: string): Promise<void> {
  const isOther = 'appId' in scope && scope.appId !== undefined && scope.appId !== appId;
  if (isOther || !(await hasApplication(tx, customerOf(scope), appId))) throw fieldProblem('appId', 'NOT_FOUND');
}

/** An answer has no values to fill in. Whether the template is approved is decided again with each answer. */
async function assertTemplate(
  tx: PoolClient,
  customerId: string,
  { appId, templateId }: Pick<KeywordRuleRow, 'appId' | 'templateId'>,
): Promise<void> {
  const template = await findApiTemplate(tx, { customerId, appId, templateId });
  if (template === null) throw fieldProblem('templateId', 'NOT_FOUND');
  if (template.content === null) throw fieldProblem('templateId', 'INVALID');
  if (compileTemplate(template.content).variableCount > 0) throw fieldProblem('templateId', 'INVALID');
}

async function moveTo(
  tx: PoolClient,
  customerId: string,
  { ruleId, appId }: KeywordRuleRow,
  place: number,
): Promise<void> {
  const ids = (await listKeywordRules(tx, customerId, appId)).map((rule) => rule.ruleId).filter((id) => id !== ruleId);
  await orderKeywordRules(tx, customerId, ids.toSpliced(place, 0, ruleId));
}
