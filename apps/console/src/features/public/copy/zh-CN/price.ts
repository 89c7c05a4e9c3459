import type { PriceCopy } from '../shapes.ts';

export const price: PriceCopy = {
  title: '价格',
  description: '菲律宾短信的每条计费单价（按运营商与类型），以及费用计算器。',
  heading: '每条计费单价',
  lead: '按计费条数付费，而不是按字符或号码。以下是当前生效的标准价，与实际计费使用同一价目表。',
  table: '菲律宾标准价，PHP / 计费条',
  carrier: '运营商',
  types: ['验证码', '通知', '营销'],
  perSegment: '每计费条',
  other: '运营商未知',
  rules: {
    heading: '如何计费',
    points: [
      'GSM 字符 160 个以内计 1 条，更长则按每 153 个字符一条；含其他字符时为 70 个，更长则按 67 个。',
      'SenderPays：运营商受理时计费。ReceiverPays：回执显示已送达时计费。',
      '被运营商拒绝的短信不收费。',
      '确认任务时按预估金额预留余额，任务结束时结算。',
      '与客户另有约定价格的，以约定价格为准。',
    ],
  },
  calculator: {
    heading: '费用计算器',
    lead: '号码数 × 计费条数 × 单价。',
    phones: '号码数',
    segments: '每条短信的计费条数',
    type: '类型',
    total: '预估费用',
    note: '按标准价估算。控制台会按实际文件计算任务费用。',
    range: '视运营商而定',
    invalid: '请输入整数：号码数 1 至 2,000,000，计费条数 1 至 10。',
    noScript: '号码数乘以计费条数，再乘以表中单价。例如：1,000 个号码，每条短信计费 2 条，共计费 2,000 条。',
  },
};
