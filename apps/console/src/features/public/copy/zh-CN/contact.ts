import type { ContactCopy } from '../shapes.ts';

export const contact: ContactCopy = {
  title: '联系我们',
  description: '如需在菲律宾发送短信，请联系我们。',
  heading: '告诉我们您想发什么',
  lead: '发送数量、发送对象、发送时间。表单将直接提交给我们的团队。',
  form: {
    name: '您的姓名',
    company: '公司',
    email: '邮箱',
    phone: '电话',
    message: '留言内容',
    optional: '选填',
    trap: '请留空',
    submit: '提交咨询',
    sending: '正在提交…',
    done: '咨询已收到',
    doneText: '我们会回复到您填写的邮箱。',
    missing: {
      name: '请填写您的姓名。',
      email: '请填写您的邮箱。',
      message: '请至少输入 10 个字符。',
    },
    badEmail: '请输入有效的邮箱地址。',
    tooMany: '您所在网络提交的咨询过多，请稍后再试。您填写的内容仍然保留。',
    failed: '咨询提交失败，请重试。您填写的内容仍然保留。',
    noScript: '提交表单需要浏览器启用 JavaScript。',
    privacy: '您填写的内容会被保存，并以邮件通知我们的工作人员以便答复。',
    privacyLink: '隐私政策',
  },
  aside: [
    { heading: '建议说明', paragraphs: ['短信类型（验证码、通知或营销）、大致号码数量，以及希望何时发出第一条。'] },
    { heading: '已是客户？', paragraphs: ['请先登录：许多问题可在控制台的相关任务或模板页面找到答案。'] },
    {
      heading: '收到不想要的短信？',
      paragraphs: [
        '请直接回复 T，该发送方将不再向您的号码发送营销短信。如果手机无法回复，请留言告知短信显示的发送方名称，我们会转达。',
      ],
    },
  ],
};
