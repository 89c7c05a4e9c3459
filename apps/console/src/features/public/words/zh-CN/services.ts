import type { ServiceWords } from '../shapes.ts';

export const services: ServiceWords = {
  title: '服务',
  description: '在控制台群发短信，或由软件经 HTTP 逐条发送，送达菲律宾的手机。',
  heading: '两种发送方式，一份记录',
  lead: '人在控制台发送，软件经 HTTP 发送。模板、Sender ID、价格与记录完全相同。',
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
        '每条短信的去向以签名回调推送',
      ],
      link: { href: '/services/cpaas', label: '消息云（CPaaS）' },
    },
    {
      heading: '共同的底层',
      text: '我们以 SMPP 3.4 将短信交给运营商，并记下每一次答复。',
      points: [
        '短信先记录，后发送',
        '“已接收”与“已送达”分开呈现',
        '故障后存疑的短信不会被随意重发',
        '每一笔费用都有账目',
      ],
    },
  ],
  more: {
    heading: '看看费用',
    text: '标准价与实际计费出自同一张价目表。',
    links: [
      { href: '/price', label: '查看价格' },
      { href: '/contact', label: '联系我们' },
    ],
  },
};

export const saas: ServiceWords = {
  title: '营销云（SaaS）',
  description: '由文件群发短信：审核模板、定时发送、静默时段与实时进度。',
  heading: '从一份号码文件，到每个号码的回音',
  lead: '营销云就是控制台：写好内容，上传名单，确认费用，然后看着回音到来。',
  blocks: [
    {
      heading: '准备',
      text: '内容写一次，由人工审核。',
      points: ['边写边数计费条数', '违规之处就地标出', '{1} 等变量由文件填入', 'Sender ID 登记并审核'],
    },
    {
      heading: '检查',
      text: '文件按原样读取，确认之前不会发送任何短信。',
      points: [
        'csv、xls、xlsx，最多 2,000,000 行',
        '被拒绝的行附行号与原因',
        '发送前预览真实行的效果',
        '可先向自己的手机发送测试短信',
      ],
    },
    {
      heading: '发送',
      text: '立即发送，或在您选定的时间。',
      points: [
        '营销短信在马尼拉时间 21:00 至 07:00 暂缓',
        '跳过已退订的号码',
        '随时暂停、恢复或终止',
        '任务结束后可重试失败的号码',
      ],
    },
    {
      heading: '知晓',
      text: '运营商的答复与手机的回执，并列呈现。',
      points: ['百格实时进度', '每个号码的发送明细', '记录可筛选、可导出', '余额、账目流水与月度对账单'],
    },
    {
      heading: '守望',
      text: '您不在时，发送阈值替您看着。',
      points: [
        '按小时、天或月限量，单位为短信数、计费条数或比索',
        '送达率下降时提醒或暂停',
        '限制单个号码收到的短信数',
        '以邮件、短信或 Webhook 通知',
      ],
    },
    {
      heading: '跟进',
      text: '可保存的受众，以及能告诉您谁打开过的短链。',
      points: [
        '消息群组：导入、合并，或由任务结果生成',
        '短链：每位收件人一个专属短码，长度相同，计费条数不变',
        '真人点击与抢先查看链接的程序分开统计',
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

export const cpaas: ServiceWords = {
  examples: ['调用示例', '回调示例'],
  title: '消息云（CPaaS）',
  description: '由您的软件经 HTTP 与 JSON 发送验证码与通知，每条短信的去向以签名回调告知。',
  heading: '由您的软件发送短信',
  lead: '消息云是一套 HTTP API。短信可靠保存后才答复，之后的去向会主动告知。',
  blocks: [
    {
      heading: '发送',
      text: '一次 POST 发送一条，最多 1,000 条。',
      points: ['使用审核通过的模板加变量值，或直接提交内容', '验证码、通知或营销', '答复含短信 ID 与计费条数'],
      link: { href: '/api/docs', label: 'API 文档' },
    },
    {
      heading: '放心重试',
      text: '同一个 Idempotency-Key 得到同样的答复，不会重复发送。',
      points: ['连接中断时即可重试', '同一个键配不同内容会被拒绝'],
    },
    {
      heading: '查询',
      text: '按短信 ID 查询一条短信走到了哪一步。',
      points: ['已受理、已提交、已送达、未送达、已过期、被拒绝、未知或已拦截', '附运营商原始代码'],
    },
    {
      heading: '接收通知',
      text: '短信的去向会推送到您的回调地址。',
      points: ['按 Standard Webhooks 标准签名', '您的服务器离线时重试约三天', '每次推送都有记录，可从任意时间重发'],
    },
    {
      heading: '接收回复',
      text: '手机回复的短信也会推送给您的软件。',
      points: ['标明回复的是哪条短信', '回复 T 等即时记为退订'],
    },
    {
      heading: '自己掌握',
      text: '每个应用有自己的密钥与限额。',
      points: ['密钥只显示一次，轮换时新旧并行', '可限定 IP 地址', '验证码优先于通知与营销'],
    },
  ],
  more: {
    heading: '尚未提供',
    text: '您的软件暂不能经 SMPP 接入，目前请使用 HTTP。',
    links: [
      { href: '/api/docs', label: 'API 文档' },
      { href: '/contact', label: '联系我们' },
    ],
  },
};
