/** The mail that notifies the staff of an enquiry, in the recipient's own language. Plain text: a stranger wrote it. */

export interface EnquiryText {
  readonly name: string;
  readonly company: string | null;
  readonly email: string;
  readonly phone: string | null;
  readonly message: string;
}

const words = {
  'en-US': {
    subject: 'Enquiry from',
    name: 'Name',
    company: 'Company',
    email: 'Email',
    phone: 'Phone',
    list: 'All enquiries',
  },
  'zh-CN': {
    subject: '新的咨询：',
    name: '姓名',
    company: '公司',
    email: '邮箱',
    phone: '电话',
    list: '全部咨询',
  },
} as const;

export function writeEnquiryMail(
  enquiry: EnquiryText,
  locale: string | null,
  publicUrl: string,
): { subject: string; text: string } {
  const language = locale === null || locale.startsWith('zh') ? 'zh-CN' : 'en-US';
  const { subject, list, ...labels } = words[language];
  const colon = language === 'zh-CN' ? '：' : ': ';
  const facts = (['name', 'company', 'email', 'phone'] as const).flatMap((field) => {
    const value = enquiry[field];
    return value === null ? [] : [`${labels[field]}${colon}${value}`];
  });
  return {
    subject: `${subject}${language === 'zh-CN' ? '' : ' '}${enquiry.name}`,
    text: `${facts.join('\n')}\n\n${enquiry.message}\n\n${list}${colon}${publicUrl}/enquiry\n`,
  };
}
