import type { FieldError, SmsType } from '@pahatid/contract';
import { type CompiledLexicon, checkTemplate, hasErrors, normalizeContent } from '@pahatid/domain';
import { ProblemError } from '../../http/problem.ts';

/**
 * Returns the text as stored. Throws TEMPLATE_CONTENT_INVALID with every error and its position in the text as given.
 */
export function checkContent(content: string, smsType: SmsType, lexicon: CompiledLexicon): string {
  const findings = checkTemplate(content, smsType, { lexicon });
  if (!hasErrors(findings)) return normalizeContent(content);
  const errors = findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, from, to, params }): FieldError => ({ field: 'content', code, params: { ...params, from, to } }));
  throw new ProblemError('TEMPLATE_CONTENT_INVALID', undefined, errors);
}
