import type { ServicesCopy } from '../service-shapes.ts';

export const services: ServicesCopy = {
  title: '服务',
  description: '在控制台群发短信，或由软件通过 HTTP、SMPP 发送单条短信，面向菲律宾的手机。',
  heading: '控制台与 API，同一套记录',
  lead: '团队在控制台发送，软件通过 HTTP 或 SMPP 发送，共用模板、Sender ID、价格与记录。',
  sample: '示例数据',
  saas: {
    heading: '营销云',
    text: '适合向号码名单发送活动与通知的团队：审核模板、文件检查、静默时段、实时进度。',
    link: '营销云（SaaS）',
  },
  cpaas: {
    heading: '消息云',
    text: '适合随业务事件发送验证码与通知的软件：幂等调用、签名回调、一次性验证码。',
    link: '消息云（CPaaS）',
    example: '调用示例',
  },
  engine: {
    heading: '同一个发送引擎',
    facts: [
      ['先保存，后发送', '短信可靠保存之后，才通过 SMPP 3.4 提交给运营商。'],
      ['两个结果', '运营商受理与手机收到，分开显示。'],
      ['不重复发送', '故障后结果未知的短信会暂缓，而不是重发。'],
      ['每笔费用都有账目', '短信、记录、统计与账目逐条一致。'],
    ],
  },
  more: {
    heading: '价格',
    text: '标准价与实际计费使用同一价目表。',
    links: [
      { href: '/price', label: '查看价格' },
      { href: '/request-account', label: '申请开户' },
    ],
  },
};
