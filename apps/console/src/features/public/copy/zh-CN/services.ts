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

export const saas: ServiceCopy = {
  title: '营销云（SaaS）',
  description: '由文件群发短信：审核模板、定时发送、静默时段与实时进度。',
  heading: '一个模板群发，逐个号码跟踪',
  lead: '营销云就是控制台：编写内容，上传号码，确认费用，实时查看发送结果。',
  blocks: [
    {
      heading: '准备',
      text: '编写一次内容，提交人工审核。',
      points: ['输入时实时显示计费条数', '违规内容在原文中标出', '{1} 等变量由文件填入', 'Sender ID 登记并审核'],
    },
    {
      heading: '检查',
      text: '逐行校验文件，确认之前不会发送任何短信。',
      points: [
        'csv、xls、xlsx，最多 2,000,000 行',
        '被拒绝的行附行号与原因',
        '发送前按实际数据预览',
        '可先向自己的手机发送测试短信',
      ],
    },
    {
      heading: '发送',
      text: '立即发送，或在您设定的时间发送。',
      points: [
        '营销短信在马尼拉时间 21:00 至 07:00 暂缓',
        '跳过已退订的号码',
        '随时暂停、恢复或终止',
        '任务结束后可重试失败的号码',
      ],
    },
    {
      heading: '跟踪',
      text: '查看每条短信的运营商应答与手机回执。',
      points: ['任务实时进度', '每个号码的发送明细', '记录可筛选、可导出', '余额、账目流水与月度对账单'],
    },
    {
      heading: '监控',
      text: '发送阈值自动监控您的发送情况。',
      points: [
        '按小时、天或月设置上限，单位为短信条数、计费条数或比索',
        '送达率下降时告警或暂停',
        '限制单个号码收到的短信数',
        '通过邮件、短信或 Webhook 通知',
      ],
    },
    {
      heading: '跟进',
      text: '保存受众，并通过短链了解谁打开过链接。',
      points: [
        '号码组：导入、合并，或由任务结果生成',
        '短链：每个接收号码一个专属短码，长度相同，计费条数不变',
        '真人点击与程序点击分开统计',
        '按任务、运营商、系统与小时统计点击',
      ],
    },
  ],
  more: {
    heading: '还有疑问',
    text: '常见问题说明了各项功能如何运作以及如何收费。',
    links: [
      { href: '/faq', label: '常见问题' },
      { href: '/contact', label: '联系我们' },
    ],
  },
};

export const cpaas: ServiceCopy = {
  examples: ['调用示例', '回调示例'],
  title: '消息云（CPaaS）',
  description: '由您的软件通过 HTTP 与 JSON 发送验证码与通知，每条短信的状态通过签名回调推送。',
  heading: '由您的软件发送短信',
  lead: '消息云是一套 HTTP API。短信可靠保存后返回响应，后续状态通过回调推送。',
  blocks: [
    {
      heading: '发送',
      text: '一次 POST 请求最多发送 1,000 条。',
      points: ['使用审核通过的模板加变量值，或直接提交内容', '验证码、通知或营销', '响应包含短信 ID 与计费条数'],
      link: { href: '/docs/reference', label: 'API 文档' },
    },
    {
      heading: '放心重试',
      text: '相同的 Idempotency-Key 返回相同的响应，不会重复发送。',
      points: ['连接中断时即可重试', '相同的键用于不同内容会被拒绝'],
    },
    {
      heading: '查询',
      text: '按短信 ID 查询短信状态。',
      points: ['已受理、已提交、已送达、未送达、已过期、被拒绝、未知或已拦截', '附运营商原始状态码'],
    },
    {
      heading: '接收通知',
      text: '短信的状态变化会推送到您的回调地址。',
      points: [
        '按 Standard Webhooks 标准签名',
        '您的服务器不可用时，重试约三天',
        '每次推送均有记录，可从指定时间起重新推送',
      ],
    },
    {
      heading: '接收回复',
      text: '手机回复的短信也会推送给您的软件。',
      points: ['标明所回复的短信', '回复 T 等内容立即记为退订'],
    },
    {
      heading: '安全与限额',
      text: '每个应用有自己的密钥与限额。',
      points: ['密钥只显示一次，轮换时新旧并行', '可限定 IP 地址', '验证码优先于通知与营销'],
    },
  ],
  more: {
    heading: '尚未提供',
    text: '您的软件暂不支持通过 SMPP 接入，目前请使用 HTTP。',
    links: [
      { href: '/docs/reference', label: 'API 文档' },
      { href: '/contact', label: '联系我们' },
    ],
  },
};
