/** The templates of an A/B test: each may be sent, and the short links in them too. */
import type { Db } from '@pahatid/db';
import type { AbTestFields } from '@pahatid/db/queries/ab-tests';
import { findLinksByCode } from '@pahatid/db/queries/short-links';
import { findTaskParts, type TaskFields, type TaskParts } from '@pahatid/db/queries/tasks';
import { compileTemplate, findShortLinks, isTestCustomer } from '@pahatid/domain';
import { ProblemError } from '../../http/problem.ts';
import type { VariantTerms } from './ab-tally.ts';
import { assertKnown, assertTemplateSendable } from './task-parts.ts';

export interface VariantTask extends Pick<TaskFields, 'appId' | 'smsType'> {
  readonly customerId: string;
  readonly abTest: Pick<AbTestFields, 'rule' | 'variants'> | null;
}

/** Of each variant its part of the task, in their order; the first is the task's own. Throws if one is not known. */
async function findVariantParts(db: Db, task: VariantTask, parts: TaskParts): Promise<TaskParts[]> {
  const [, ...others] = task.abTest?.variants ?? [];
  const found = [parts];
  for (const { templateId } of others) {
    const named = { appId: task.appId, templateId, senderId: null, fileId: null };
    const each = await findTaskParts(db, task.customerId, named);
    assertKnown({ appId: task.appId, templateId }, each);
    found.push(each);
  }
  return found;
}

/** All templates are of the customer and its application. */
export async function assertVariantsKnown(db: Db, task: VariantTask, parts: TaskParts): Promise<void> {
  if (task.abTest !== null) await findVariantParts(db, task, parts);
}

/** Null: the task has no A/B test. */
export async function readVariants(db: Db, task: VariantTask, parts: TaskParts): Promise<VariantTerms[] | null> {
  const { abTest } = task;
  if (abTest === null) return null;
  const found = await findVariantParts(db, task, parts);
  const variants = found.map((each, index) => {
    assertTemplateSendable({ smsType: task.smsType }, each);
    const content = each.template?.content ?? '';
    return {
      content,
      template: compileTemplate(content),
      templateVersion: each.template?.version ?? 0,
      share: abTest.variants[index]?.share ?? 0,
    };
  });
  // In test mode there are no clicks.
  if (abTest.rule === 'clicks' && !isTestCustomer(task.customerId))
    await assertUniqueLinks(db, task.customerId, variants);
  return variants;
}

/** A click says which text was better only if each recipient has a separate code. */
async function assertUniqueLinks(db: Db, customerId: string, variants: readonly { content: string }[]): Promise<void> {
  const codesOf = ({ content }: { content: string }) => findShortLinks(content).map(({ code }) => code);
  const links = await findLinksByCode(db, [customerId], variants.flatMap(codesOf), new Date());
  const unique = new Set(links.filter(({ mode }) => mode === 'perRecipient').map(({ code }) => code));
  if (!variants.every((each) => codesOf(each).some((code) => unique.has(code))))
    throw new ProblemError('AB_NEEDS_LINK');
}
