import type { Language, RejectReason } from '@pahatid/domain';
import type { CsvColumn } from '../http/csv.ts';

/** A rejected row as stored: line, text, reason. */
export type StoredReject = readonly [line: number, raw: string, reason: string];

/**
 * Text of a downloaded report. The console translates codes itself; this file leaves the system, so it contains the
 * text.
 */
const reasons: Record<RejectReason, Record<Language, string>> = {
  EMPTY: { 'en-US': 'No phone number', 'zh-CN': '没有手机号' },
  FORMULA: { 'en-US': 'A formula instead of a number', 'zh-CN': '单元格是公式，不是号码' },
  DAMAGED: { 'en-US': 'Damaged by a spreadsheet: the digits are lost', 'zh-CN': '号码被电子表格破坏，数字已丢失' },
  NOT_A_NUMBER: { 'en-US': 'Not a phone number', 'zh-CN': '不是手机号' },
  TOO_SHORT: { 'en-US': 'Too short', 'zh-CN': '号码过短' },
  TOO_LONG: { 'en-US': 'Too long', 'zh-CN': '号码过长' },
  INVALID_NUMBER: { 'en-US': 'No such number range', 'zh-CN': '号段不存在' },
  NEEDS_PLUS: {
    'en-US': 'A number of another country needs + or 00 before it',
    'zh-CN': '境外号码前须加 + 或 00',
  },
  FIXED_LINE: { 'en-US': 'A fixed line', 'zh-CN': '固定电话' },
  NOT_MOBILE: { 'en-US': 'Not a mobile number', 'zh-CN': '不是移动电话号码' },
  DUPLICATE: { 'en-US': 'Duplicate of an earlier row', 'zh-CN': '与前面的行重复' },
  OPTED_OUT: { 'en-US': 'The recipient has opted out', 'zh-CN': '接收号码已退订' },
  MISSING_VALUE: { 'en-US': 'A variable has no value', 'zh-CN': '变量没有值' },
  VALUE_IS_LINK: { 'en-US': 'A value forms a link', 'zh-CN': '变量值构成链接' },
  VALUE_IS_FORMULA: { 'en-US': 'A value is a formula', 'zh-CN': '变量值是公式' },
  COUNTRY_NOT_OPEN: {
    'en-US': 'The application may not send to this country or region',
    'zh-CN': '该应用未开通发往此国家或地区',
  },
  TEXT_TOO_LONG: { 'en-US': 'The text is too long with these values', 'zh-CN': '代入变量后短信过长' },
};

/** Returns the text of the reason; a code without text is returned as is. A trailing `:3` names the variable. */
const reasonText = (code: string, lang: Language): string => {
  const [name = '', variable] = code.split(':');
  const text = name in reasons ? reasons[name as RejectReason][lang] : name;
  return variable === undefined ? text : `${text} {${variable}}`;
};

/** Returns the columns of a rejected-rows report, in the requested language regardless of the browser's preference. */
export function rejectColumns(lang: Language): CsvColumn<StoredReject>[] {
  const head = (zh: string, en: string): Record<Language, string> => {
    const text = lang === 'zh-CN' ? zh : en;
    return { 'zh-CN': text, 'en-US': text };
  };
  return [
    { head: head('行号', 'Line'), value: ([line]) => line },
    { head: head('内容', 'Text'), value: ([, raw]) => raw },
    { head: head('代码', 'Code'), value: ([, , reason]) => reason.split(':', 1)[0] },
    { head: head('原因', 'Reason'), value: ([, , reason]) => reasonText(reason, lang) },
  ];
}
