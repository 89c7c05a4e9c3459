import type { SiteCopy } from './shapes.ts';
import { about } from './zh-CN/about.ts';
import { contact } from './zh-CN/contact.ts';
import { cpaas } from './zh-CN/cpaas.ts';
import { docs } from './zh-CN/docs.ts';
import { errors } from './zh-CN/errors.ts';
import { faq } from './zh-CN/faq.ts';
import { privacy, terms } from './zh-CN/legal.ts';
import { linkBlocked, linkEnded, linkReported, linkUnknown } from './zh-CN/links.ts';
import { price } from './zh-CN/price.ts';
import { request } from './zh-CN/request.ts';
import { saas } from './zh-CN/saas.ts';
import { services } from './zh-CN/services.ts';

export const zhCN: SiteCopy = {
  landing: {
    title: '每一条短信，都有回音',
    description:
      'Pahatid 把验证码、通知与营销短信发往菲律宾各地的手机，并逐个号码告诉您：运营商是否接收，手机是否收到。',
  },
  otherLanguage: 'English',
  theme: '浅色或深色',
  price,
  faq,
  services,
  saas,
  cpaas,
  about,
  contact,
  request,
  docs,
  errors,
  terms,
  privacy,
  linkEnded,
  linkUnknown,
  linkBlocked,
  linkReported,
};
