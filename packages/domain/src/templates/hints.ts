import { SmsType } from '@pahatid/contract/enums';
import { listUnicodeCharacters } from '../segments/unicode-characters.ts';
import type { TemplateFinding } from './findings.ts';
import { foldWidth } from './links.ts';
import type { TemplateVariable } from './variables.ts';

/** Digits a verification code may have before handsets and readers stumble over it. */
const OTP_DIGITS_LIMIT = 6;

/** Whether a value of a verification text is a code longer than handsets recognise. */
function isOtpValueTooLong(value: string): boolean {
  return (value.match(/\p{Nd}/gu)?.length ?? 0) > OTP_DIGITS_LIMIT;
}

/** Placeholders without anything between them: their values run together. */
export function hintAdjacent(variables: readonly TemplateVariable[]): TemplateFinding[] {
  return variables.flatMap((variable, i) => {
    const next = variables[i + 1];
    if (next === undefined || next.from !== variable.to) return [];
    const fix = { from: variable.to, to: variable.to, insert: ' ' };
    return [{ code: 'VARIABLES_ADJACENT', severity: 'warning', from: variable.from, to: next.to, fix } as const];
  });
}

/** `${1}` is a programmer's habit; the recipient would read a dollar sign. */
export function hintDollar(content: string, variables: readonly TemplateVariable[]): TemplateFinding[] {
  return variables.flatMap(({ from, to }) => {
    if (content[from - 1] !== '$' && content[from - 1] !== '＄') return [];
    const fix = { from: from - 1, to: from, insert: '' };
    return [{ code: 'DOLLAR_BEFORE_VARIABLE', severity: 'warning', from: from - 1, to, fix } as const];
  });
}

const LINK_WORD =
  /(?:(?<![a-z])(?:links?|url|web ?site|site|web ?page|visit|click|click here|tap|tap here|go to|log ?in at|i-click|i-tap|pindutin|bisitahin|pumunta sa|puntahan)(?: ang| at| on| here)?|链接|鏈接|連結|网址|網址|网站|網站|点击|點擊|访问|訪問|登录|登錄)\s{0,3}[:：]?\s{0,3}$/i;
/** Enough for the longest link word and the text that may follow it. */
const LINK_WORD_REACH = 40;

/** "Click {1}" most likely means a link in a value, which rejects every row of the file. */
export function hintLinkWord(content: string, variables: readonly TemplateVariable[]): TemplateFinding[] {
  return variables.flatMap(({ from, to }) => {
    const start = Math.max(0, from - LINK_WORD_REACH);
    const match = LINK_WORD.exec(foldWidth(content.slice(start, from)));
    if (match === null) return [];
    return [{ code: 'LINK_WORD_BEFORE_VARIABLE', severity: 'warning', from: start + match.index, to } as const];
  });
}

/** Sample values of a verification text that are longer codes than handsets fill in automatically. */
export function hintOtpValues(
  variables: readonly TemplateVariable[],
  smsType: SmsType,
  sampleValues: readonly string[],
): TemplateFinding[] {
  if (smsType !== SmsType.Verification) return [];
  return variables.flatMap(({ number, from, to }) => {
    const value = sampleValues[number - 1];
    if (value === undefined || !isOtpValueTooLong(value)) return [];
    const params = { number, limit: OTP_DIGITS_LIMIT };
    return [{ code: 'OTP_VALUE_TOO_LONG', severity: 'warning', from, to, params } as const];
  });
}

/** Maximum places shown; the count in `params` is complete. */
const UNICODE_PLACES = 20;

/**
 * The characters that halve the capacity of a text. A text mostly in another script needs Unicode anyway, and gets no
 * warning; a character that is already an error gets none either.
 */
export function hintUnicode(content: string, symbols: readonly TemplateFinding[]): TemplateFinding[] {
  const forcing = listUnicodeCharacters(content).filter(
    ({ from }) => !symbols.some((symbol) => symbol.from <= from && from < symbol.to),
  );
  if (forcing.length === 0) return [];
  const letters = content.match(/\p{L}/gu)?.length ?? 0;
  const foreign = forcing.filter((each) => each.substitute === null && /\p{L}/u.test(each.character)).length;
  if (foreign * 2 > letters) return [];
  const characters = [...new Set(forcing.map((each) => each.character))].slice(0, 10).join(' ');
  return forcing.slice(0, UNICODE_PLACES).map(({ character, from, to, substitute }) => ({
    code: 'FORCES_UNICODE',
    severity: 'warning',
    from,
    to,
    params: { character, characters, count: forcing.length },
    ...(substitute === null ? {} : { fix: { from, to, insert: substitute } }),
  }));
}
