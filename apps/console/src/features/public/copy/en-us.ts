import { about } from './en-US/about.ts';
import { contact } from './en-US/contact.ts';
import { cpaas } from './en-US/cpaas.ts';
import { docs } from './en-US/docs.ts';
import { errors } from './en-US/errors.ts';
import { faq } from './en-US/faq.ts';
import { privacy, terms } from './en-US/legal.ts';
import { linkBlocked, linkEnded, linkReported, linkUnknown } from './en-US/links.ts';
import { price } from './en-US/price.ts';
import { request } from './en-US/request.ts';
import { saas } from './en-US/saas.ts';
import { services } from './en-US/services.ts';
import type { SiteCopy } from './shapes.ts';

export const enUS: SiteCopy = {
  landing: {
    title: 'Every message gets an answer',
    description:
      'Pahatid sends codes, notices and campaigns to phones across the Philippines, and shows for each number what the carrier accepted and what reached the phone.',
  },
  otherLanguage: '简体中文',
  theme: 'Light or dark',
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
