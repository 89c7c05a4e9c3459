import type { ProseWords } from '../shapes.ts';

export const linkEnded: ProseWords = {
  title: '链接已失效',
  description: '该短链已到期，或已被发送方关闭。',
  heading: '链接已失效',
  lead: '该短链已到期，或已被发送方关闭。',
  sections: [
    {
      heading: '您可以这样做',
      paragraphs: [
        '请向给您发短信的商家索取新的链接，商家名称显示在通常显示号码的位置。',
        '如果您不认识发送方，请不要回复，也不要提供任何验证码或密码。',
      ],
    },
  ],
};

export const linkUnknown: ProseWords = {
  title: '没有这个链接',
  description: '没有使用这个短码的短链。',
  heading: '没有这个链接',
  lead: '没有使用这个短码的短链。',
  sections: [
    {
      heading: '您可以这样做',
      paragraphs: ['请直接从短信中打开链接。手动输入时请区分大小写，短码共有八个字符。'],
    },
  ],
};
