/** The mails about a sender ID's dossier: the carrier's answer, and an approval that ends. */
import type { NoticeParams } from '@pahatid/contract';
import type { Language } from '@pahatid/domain';

type Text = { subject: string; lead: string };

export function describeDossier(
  { senderId, carrier, approved, approvedUntil, answer }: NoticeParams['dossierDecided'],
  lang: Language,
): Text {
  const zh = lang === 'zh-CN';
  if (approved)
    return {
      subject: zh ? `${carrier} 已批准 Sender ID ${senderId}` : `${carrier} approved sender ID ${senderId}`,
      lead: zh
        ? `${carrier} 已批准 Sender ID ${senderId}，有效期至 ${approvedUntil ?? ''}。`
        : `${carrier} approved sender ID ${senderId} until ${approvedUntil ?? ''}.`,
    };
  return {
    subject: zh ? `${carrier} 退回了 ${senderId} 的资料` : `${carrier} returned the papers of ${senderId}`,
    lead: zh
      ? `Sender ID ${senderId} 的资料被退回。答复：${answer ?? ''}`
      : `The papers of sender ID ${senderId} for ${carrier} were returned. The answer: ${answer ?? ''}`,
  };
}

export function describeApprovalEnd(
  { senderId, carrier, approvedUntil, ended }: NoticeParams['approvalEnds'],
  lang: Language,
): Text {
  const zh = lang === 'zh-CN';
  if (ended)
    return {
      subject: zh ? `${carrier} 对 ${senderId} 的批准已到期` : `The approval of ${senderId} by ${carrier} has expired`,
      lead: zh
        ? `${carrier} 对 Sender ID ${senderId} 的批准已于 ${approvedUntil} 到期。请重新提交资料。`
        : `The approval of sender ID ${senderId} by ${carrier} ended on ${approvedUntil}. Submit its papers again.`,
    };
  return {
    subject: zh ? `${carrier} 对 ${senderId} 的批准即将到期` : `The approval of ${senderId} by ${carrier} expires soon`,
    lead: zh
      ? `${carrier} 对 Sender ID ${senderId} 的批准将于 ${approvedUntil} 到期。请及时续期。`
      : `The approval of sender ID ${senderId} by ${carrier} ends on ${approvedUntil}. Renew it before.`,
  };
}
