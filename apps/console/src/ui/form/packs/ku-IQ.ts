import english from 'antd/es/locale/en_US.js';
import { adaptPack } from './adapt-pack.ts';

/** Ant Design's own pack is Kurmanji in Latin letters; the console writes Sorani, from the right. */
export default adaptPack(english, 'ckb', {
  choose: 'هەڵبژێرە',
  empty: 'هیچ نییە',
  ok: 'باشە',
  cancel: 'پاشگەزبوونەوە',
  close: 'داخستن',
  show: 'پیشاندان',
  hide: 'شاردنەوە',
  clear: 'پاککردنەوە',
  today: 'ئەمڕۆ',
  now: 'ئێستا',
  backToToday: 'گەڕانەوە بۆ ئەمڕۆ',
  week: 'هەفتە',
  month: 'مانگ',
  year: 'ساڵ',
  date: 'ڕێکەوت هەڵبژێرە',
  dates: ['سەرەتا', 'کۆتایی'],
  time: 'کات هەڵبژێرە',
  times: ['سەرەتا', 'کۆتایی'],
  chooseWeek: 'هەفتە هەڵبژێرە',
  chooseMonth: 'مانگ هەڵبژێرە',
  chooseYear: 'ساڵ هەڵبژێرە',
  chooseDecade: 'دەیە هەڵبژێرە',
  before: { month: 'مانگی پێشوو', year: 'ساڵی پێشوو', decade: 'دەیەی پێشوو', century: 'سەدەی پێشوو' },
  after: { month: 'مانگی داهاتوو', year: 'ساڵی داهاتوو', decade: 'دەیەی داهاتوو', century: 'سەدەی داهاتوو' },
});
