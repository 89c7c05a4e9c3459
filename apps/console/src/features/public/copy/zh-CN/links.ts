import type { ProseCopy, SiteCopy } from '../shapes.ts';

export const linkEnded: ProseCopy = {
  title: '链接已失效',
  description: '该短链已到期，或已被发送方停用。',
  heading: '链接已失效',
  lead: '该短链已到期，或已被发送方停用。',
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

export const linkUnknown: ProseCopy = {
  title: '链接不存在',
  description: '该短码没有对应的短链。',
  heading: '链接不存在',
  lead: '该短码没有对应的短链。',
  sections: [
    {
      heading: '您可以这样做',
      paragraphs: ['请直接从短信中打开链接。手动输入时请区分大小写，短码共有八个字符。'],
    },
  ],
};

export const linkBlocked: SiteCopy['linkBlocked'] = {
  title: '该链接已被停用',
  description: '该短链可能有害，已被我们停用。',
  heading: '该链接已被停用',
  lead: '其指向的网页可能有害，我们已将其停用。',
  sections: [
    {
      heading: '您可以这样做',
      paragraphs: [
        '请不要回复该短信，也不要提供任何验证码、密码或银行卡号。',
        '如果您此前在该网页填写过信息，请联系您的银行并修改密码。',
      ],
    },
  ],
  form: { label: '发生了什么？工作人员会查看您的描述，请勿填写个人信息。', send: '提交举报' },
};

export const linkReported: ProseCopy = {
  title: '感谢您的举报',
  description: '工作人员会查看您的举报。',
  heading: '感谢您的举报',
  lead: '工作人员会查看，该链接将保持停用。',
  sections: [],
};
