import { type ReviewDelay, ReviewReason } from '@pahatid/contract';
import { joinSentences } from './sentences.ts';
import { type Text, textNow } from './use-text.tsx';

/**
 * Returns why a reviewer rejected it: the sentence of the catalogue, then the reviewer's own note; null if there is
 * none.
 */
export function rejectionText(
  code: ReviewReason | null | undefined,
  note: string | null | undefined,
  t: Text = textNow(),
): string | null {
  const sentence = code && code !== ReviewReason.Other ? t(`reason.${code}`) : '';
  return joinSentences([sentence, note]) || null;
}

/** Returns why a decision may take longer than two hours after a submission; null if it does not. */
export function delayText(delay: ReviewDelay | null, locale: string, t: Text = textNow()): string | null {
  if (delay === null) return null;
  const isChinese = locale.startsWith('zh');
  const names = delay.holidays.map(({ name, nameZh }) => (isChinese && nameZh ? nameZh : name));
  if (names.length > 0) return t('delay.holidays', { names: names.join(isChinese ? '、' : ', ') });
  return delay.closed ? t('delay.closed') : null;
}
