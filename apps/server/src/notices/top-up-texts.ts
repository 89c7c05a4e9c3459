/** The mail about a requested top-up: what was entered, or why it was rejected. */
import type { NoticeParams } from '@pahatid/contract';
import { formatMoney, type Language } from '@pahatid/domain';

export function describeTopUp(
  { approved, amount, entered, reference, reason }: NoticeParams['topUpDecided'],
  lang: Language,
): { subject: string; lead: string } {
  const zh = lang === 'zh-CN';
  const asked = formatMoney(amount, lang);
  if (!approved)
    return {
      subject: zh ? '充值申请未通过' : 'Your top-up request was rejected',
      lead: zh
        ? `充值申请未通过：金额 ${asked}，转账参考号“${reference}”。原因：${reason ?? ''}`
        : `Your request for a top-up of ${asked} with the reference “${reference}” was rejected. Reason: ${reason ?? ''}`,
    };
  const money = formatMoney(entered ?? amount, lang);
  const differs = entered !== null && entered !== amount;
  return {
    subject: zh ? '充值已到账' : 'Your top-up has arrived',
    lead: zh
      ? `${money} 已计入余额，转账参考号“${reference}”${differs ? `，申请金额为 ${asked}` : ''}。`
      : `${money} was added to your balance for the transfer with the reference “${reference}”.${differs ? ` You requested ${asked}.` : ''}`,
  };
}
