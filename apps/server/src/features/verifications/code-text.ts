/** The text of a code: by a template of the customer's, or the platform's own. */
import { randomInt } from 'node:crypto';
import { type MessageEntry, SmsType } from '@pahatid/contract';
import { findApiTemplate } from '@pahatid/db/queries/api-messages';
import { isTemplateRequired } from '@pahatid/db/queries/verifications';
import { compileTemplate } from '@pahatid/domain';
import type { Pool } from 'pg';
import type { CallingApplication } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';

/** Digits of the system's generator, each uniformly distributed. */
export const makeDigits = (length: number): string => Array.from({ length }, () => randomInt(10)).join('');

/** In test mode no phone shows the code: it is always the same, 123456 of six digits. */
export const makeTestDigits = (length: number): string => '1234567890'.slice(0, length);

const defaultText = (code: string, minutes: number): string =>
  `${code} is your verification code. It can be used for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Do not give it to anyone.`;

/** Throws if the template can't send codes, or the customer's texts must follow one and none is named. */
export async function writeCodeText(
  control: Pool,
  { live: { appId, customerId } }: Pick<CallingApplication, 'live'>,
  { templateId, code, validFor }: { templateId?: string | undefined; code: string; validFor: number },
): Promise<Pick<MessageEntry, 'content' | 'smsType' | 'templateId' | 'variables'>> {
  if (templateId === undefined) {
    if (await isTemplateRequired(control, customerId)) throw fieldProblem('templateId', 'REQUIRED');
    return { content: defaultText(code, Math.floor(validFor / 60)), smsType: SmsType.Verification };
  }
  const template = await findApiTemplate(control, { customerId, appId, templateId });
  if (template === null) throw new ProblemError('TEMPLATE_NOT_FOUND', { templateId });
  if (template.content === null) throw new ProblemError('TEMPLATE_NOT_SENDABLE');
  if (template.smsType !== SmsType.Verification) throw new ProblemError('TEMPLATE_TYPE_MISMATCH');
  if (compileTemplate(template.content).variableCount !== 1) throw fieldProblem('templateId', 'NOT_AN_OPTION');
  return { templateId, variables: [code] };
}
