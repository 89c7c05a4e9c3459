import type { ErrorsCopy } from '../shapes.ts';
import { errorAdvice } from './error-advice.ts';

export const errors: ErrorsCopy = {
  title: 'API 错误码',
  description: 'Pahatid API 的全部错误码，以及各自的 HTTP 状态、含义和参数。',
  heading: '错误码',
  lead: '请求失败时返回 application/problem+json，其中有本页列出的错误码、HTTP 状态，以及每个无效字段的原因。程序应根据错误码判断；文字供人阅读，可能会修改。',
  params: '参数',
  noText: '仅供程序使用。',
  advice: errorAdvice,
  whatToDo: '处理方法',
  repeat: '重试相同请求',
  repeats: {
    afterHeader: '在 Retry-After 响应头给出的时间之后。',
    later: '稍后重试，间隔逐次加长。',
    never: '无效：在其他条件改变之前，结果相同。',
  },
  example: '示例',
  calls: '可能返回该错误的接口',
  everyCall: '所有接口。',
};
