import { AuditStatus, type CallResult } from '@pahatid/contract';
import {
  addTemplateVersion,
  findTemplate,
  findTemplateGround,
  getCustomerId,
  renameTemplate,
  saveTemplate,
} from '@pahatid/db';
import { normalizeContent } from '@pahatid/domain';
import type { Call } from '../../http/call.ts';
import { onConflict } from '../../http/conflicts.ts';
import { ProblemError } from '../../http/problem.ts';
import { assertVersion, versionConflict } from '../../http/versions.ts';
import { assertTemplateLinks } from '../../review-rules/check-links.ts';
import type { ReadReviewRules } from '../../review-rules/review-rules.ts';
import { checkContent } from './check-content.ts';
import { presentTemplate } from './present-template.ts';
import { firstStatus } from './submit-template.ts';

/**
 * A new text or type is a new version that waits for review, while the approved one remains in use; a new name alone
 * changes nothing that was reviewed.
 */
export async function editTemplate(
  { params: { templateId }, body, user, scope, inScope, audit }: Call<'PATCH /templates/:templateId'>,
  readRules: ReadReviewRules,
  ownDomain: string,
): Promise<CallResult<'PATCH /templates/:templateId'>> {
  const rules = await readRules();
  const customerId = getCustomerId(scope) ?? '';
  const read = async (tx: Parameters<typeof findTemplate>[0]) => {
    const row = await findTemplate(tx, customerId, templateId);
    if (row === null) throw new ProblemError('NOT_FOUND');
    return row;
  };
  return onConflict({ template_name: 'TEMPLATE_NAME_TAKEN' }, () =>
    inScope(async (tx) => {
      await read(tx);
      const save = { customerId, templateId, seen: body.editVersion, userId: user.userId };
      if (!(await saveTemplate(tx, save))) throw await versionConflict(tx, 'template', templateId);
      const before = await read(tx);
      await assertVersion(tx, 'template', templateId, { stored: before.version, seen: body.version });
      const smsType = body.smsType ?? before.smsType;
      // A new name alone is no reason to judge an approved text by terms that were prohibited since.
      const given = normalizeContent(body.content ?? before.content);
      const isRevised = given !== before.content || smsType !== before.smsType;
      const content = isRevised ? checkContent(body.content ?? before.content, smsType, rules.lexicon) : before.content;
      if (body.templateName !== undefined && body.templateName !== before.templateName)
        await renameTemplate(tx, templateId, body.templateName);
      if (isRevised) {
        await assertTemplateLinks(tx, customerId, content, { now: new Date(), ownDomain });
        const ground = await findTemplateGround(tx, customerId, before.appId);
        const auditStatus = firstStatus(smsType, ground?.exemptSmsTypes ?? []);
        await addTemplateVersion(tx, {
          templateId,
          customerId,
          version: before.version + 1,
          smsType,
          content,
          auditStatus,
          serves: auditStatus === AuditStatus.NotRequired,
          createdBy: user.userId,
        });
      }
      const after = await read(tx);
      const facts = ({ templateName, content: text, smsType: type, version, auditStatus }: typeof after) => ({
        templateName,
        content: text,
        smsType: type,
        version,
        auditStatus,
      });
      await audit(tx, {
        action: 'edit',
        subjectType: 'template',
        subjectId: templateId,
        before: facts(before),
        after: facts(after),
      });
      return presentTemplate(after, scope, rules);
    }),
  );
}
