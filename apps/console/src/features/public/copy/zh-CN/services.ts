import type { ServiceCopy } from '../shapes.ts';

export const services: ServiceCopy = {
  title: '服务',
  description: '在控制台群发短信，或由软件通过 HTTP 发送单条短信，面向菲律宾的手机。',
  heading: '控制台与 API，同一套记录',
  lead: '团队在控制台发送，软件通过 HTTP 发送，共用模板、Sender ID、价格与记录。',
  blocks: [
    {
      heading: '营销云',
      text: '适合向号码名单发送活动与通知的团队。',
      points: [
        '支持 csv、xls、xlsx 的群发任务',
        '经审核、可带变量的模板',
        '营销短信的静默时段与退订',
        '实时进度，每个号码都有记录',
      ],
      link: { href: '/services/saas', label: '营销云（SaaS）' },
    },
    {
      heading: '消息云',
      text: '适合随业务事件发送验证码与通知的软件。',
      points: [
        'HTTP 加 JSON，一次最多 1,000 条',
        '幂等键',
        '每个应用有自己的密钥、类型与限额',
        '通过签名回调推送每条短信的状态',
      ],
      link: { href: '/services/cpaas', label: '消息云（CPaaS）' },
    },
    {
      heading: '统一的发送引擎',
      text: '短信通过 SMPP 3.4 提交给运营商，每次应答均有记录。',
      points: [
        '短信先记录，后发送',
        '“已受理”与“已送达”分开显示',
        '故障后未确认的短信不会被误重发',
        '每一笔费用都有账目',
      ],
    },
  ],
  more: {
    heading: '价格',
    text: '标准价与实际计费使用同一价目表。',
    links: [
      { href: '/price', label: '查看价格' },
      { href: '/contact', label: '联系我们' },
    ],
  },
};
