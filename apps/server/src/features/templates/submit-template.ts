import { AuditStatus, type CallResult, type SmsType, UseState } from '@pahatid/contract';
import { findTemplate, findTemplateGround, getCustomerId, insertTemplate, uuidV7 } from '@pahatid/db';
import type { Call } from '../../http/call.ts';
import { onConflict } from '../../http/conflicts.ts';
import { ProblemError } from '../../http/problem.ts';
import { assertTemplateLinks } from '../../review-rules/check-links.ts';
import type { ReadReviewRules } from '../../review-rules/review-rules.ts';
import { checkContent } from './check-content.ts';
import { presentTemplate } from './present-template.ts';

/** Exempted by staff for this kind of message, or to be read by a reviewer. */
export const firstStatus = (smsType: SmsType, exemptSmsTypes: readonly number[]): AuditStatus =>
  exemptSmsTypes.includes(smsType) ? AuditStatus.NotRequired : AuditStatus.Pending;

/** Adds a template; its first version waits for review. */
export async function submitTemplate(
  { body, user, scope, inScope, audit }: Call<'POST /templates'>,
  readRules: ReadReviewRules,
  ownDomain: string,
): Promise<CallResult<'POST /templates'>> {
  const rules = await readRules();
  const content = checkContent(body.content, body.smsType, rules.lexicon);
  const customerId = getCustomerId(scope) ?? '';
  const templateId = uuidV7();
  return onConflict({ template_name: 'TEMPLATE_NAME_TAKEN' }, () =>
    inScope(async (tx) => {
      const ground = await findTemplateGround(tx, customerId, body.appId);
      if (ground === null) throw new ProblemError('APP_NOT_FOUND', { appId: body.appId });
      if (ground.useState === UseState.Disabled) throw new ProblemError('APP_DISABLED', { appId: body.appId });
      await assertTemplateLinks(tx, customerId, content, { now: new Date(), ownDomain });
      const auditStatus = firstStatus(body.smsType, ground.exemptSmsTypes);
      await insertTemplate(tx, {
        ...body,
        content,
        templateId,
        customerId,
        auditStatus,
        serves: auditStatus === AuditStatus.NotRequired,
        createdBy: user.userId,
      });
      await audit(tx, {
        action: 'add',
        subjectType: 'template',
        subjectId: templateId,
        after: { ...body, content, auditStatus },
      });
      const row = await findTemplate(tx, customerId, templateId);
      if (row === null) throw new Error('a template just added is not there');
      return presentTemplate(row, scope, rules);
    }),
  );
}
