import { SmsType } from '@pahatid/contract/enums';
import type { TemplateFinding } from './findings.ts';
import { foldWidth } from './links.ts';

/** The word a recipient sends back to opt out, unless the provider configures another. */
export const DEFAULT_UNSUBSCRIBE_KEYWORD = 'T';

interface Patterns {
  /** At the end of the text: the line that marketing must have (specification §5). */
  zh: RegExp;
  en: RegExp;
  /** The same line at any position. */
  anywhere: RegExp;
  /** The same line with another keyword, which is captured. */
  otherZh: RegExp;
  otherEn: RegExp;
}

const QUOTES = `["'“”‘’「」]?`;
const BEFORE = String.raw`(?:^|[\s\p{P}\p{S}])`;
const AFTER = '[。.!！)）]?$';
const cache = new Map<string, Patterns>();

/** "如需", "若要", "欲": the beginning of a Chinese line that is a sentence. */
const IF = '(?:[如若]?(?:需要|需|要|欲|想)?)';
const STOP =
  '(?:退[订訂]|拒收|取消[订訂][阅閱]|(?:停止|取消)接收|(?<=[如若])不(?:想|欲|希望|願意|愿意)?再?(?:接收|收到))';
/** The kind of text that is refused: "此類推廣訊息". */
const OBJECT =
  '(?:[本此这這该該][类類]?)?(?:推[广廣]|[营營行][销銷]|促[销銷]|[广廣]告)?(?:短信|短[讯訊]|[简簡][讯訊]|[讯訊信]息|消息|通知)?';
const ANSWER = '(?:回[复覆復传傳]?|覆|[发發传傳]送)';

/** Both orders, "退訂請回覆T" and "回覆T退訂", in Simplified and Traditional characters. */
const makeChineseLine = (word: string): string => {
  const key = `\\s?${QUOTES}${word}${QUOTES}`;
  const first = `${IF}${STOP}${OBJECT}[,，:：]?\\s?[请請]?${ANSWER}${key}`;
  const last = `[请請]?${ANSWER}${key}\\s?(?:即可|可以|可|以)?(?:退[订訂]|拒收|取消[订訂][阅閱]|(?:停止|取消)接收)${OBJECT}`;
  return `(?:${first}|${last})`;
};

function patternsFor(keyword: string): Patterns {
  const known = cache.get(keyword);
  if (known !== undefined) return known;
  const en = (word: string) => `(?:Reply|Text|Send) ${QUOTES}${word}${QUOTES} to (?:unsubscribe|opt out|opt-out|stop)`;
  const word = keyword.replace(/[^\p{L}\p{N}]/gu, '\\$&');
  const other = '([A-Za-z]{1,12})';
  const made: Patterns = {
    zh: new RegExp(`${BEFORE}${makeChineseLine(word)}${AFTER}`, 'u'),
    en: new RegExp(`${BEFORE}(?:${en(word)})${AFTER}`, 'iu'),
    anywhere: new RegExp(`${BEFORE}(?:${makeChineseLine(word)}|${en(word)})`, 'iu'),
    otherZh: new RegExp(`${BEFORE}${makeChineseLine(other)}${AFTER}`, 'du'),
    otherEn: new RegExp(`${BEFORE}(?:${en(other)})${AFTER}`, 'diu'),
  };
  if (cache.size > 20) cache.clear();
  cache.set(keyword, made);
  return made;
}

/** The patterns match a few dozen characters at most, so only the end of the text is read. */
const TAIL = 200;

/** Whether the text ends with the line by which a recipient opts out. */
export function endsWithUnsubscribe(content: string, keyword: string = DEFAULT_UNSUBSCRIBE_KEYWORD): boolean {
  const tail = content.trimEnd().slice(-TAIL).normalize('NFKC').trim();
  const { zh, en } = patternsFor(keyword.normalize('NFKC'));
  return zh.test(tail) || en.test(tail);
}

/**
 * Returns the line to add, in the language of most of the text. `number`: where to text it, as a name shown instead of
 * a number can't receive replies.
 */
export function makeUnsubscribeLine(
  content: string,
  keyword: string = DEFAULT_UNSUBSCRIBE_KEYWORD,
  number: string | null = null,
): string {
  const han = content.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = content.match(/[A-Za-z]+/g)?.length ?? 0;
  if (han > latin) return number === null ? `回${keyword}退订` : `发短信至${number}，退订回${keyword}`;
  return number === null ? `Reply ${keyword} to unsubscribe` : `To ${number}, text ${keyword} to unsubscribe`;
}

/**
 * Marketing must end with the line; elsewhere the line only causes a warning, as it suggests that the type may be
 * wrong.
 */
export function checkUnsubscribe(
  content: string,
  smsType: SmsType,
  keyword: string,
  number: string | null = null,
): TemplateFinding[] {
  if (smsType !== SmsType.Marketing) return warnElsewhere(content, keyword);
  if (endsWithUnsubscribe(content, keyword)) return [];

  const end = content.trimEnd().length;
  const missing = { code: 'UNSUBSCRIBE_LINE_MISSING', severity: 'error' } as const;
  const wrong = findOtherKeyword(content, end, keyword);
  if (wrong !== null) {
    const { from, to } = wrong;
    const params = { keyword, found: content.slice(from, to) };
    return [{ ...missing, from, to, params, fix: { from, to, insert: keyword } }];
  }
  const insert = `${end === 0 ? '' : '\n'}${makeUnsubscribeLine(content, keyword, number)}`;
  const fix = { from: end, to: content.length, insert };
  return [{ ...missing, from: end, to: content.length, params: { keyword }, fix }];
}

/** Another provider's keyword ("R", "TD", "STOP") in an otherwise right line. */
function findOtherKeyword(content: string, end: number, keyword: string): { from: number; to: number } | null {
  const start = Math.max(0, end - TAIL);
  const tail = foldWidth(content.slice(start, end));
  const { otherZh, otherEn } = patternsFor(keyword.normalize('NFKC'));
  const indices = (otherZh.exec(tail) ?? otherEn.exec(tail))?.indices?.slice(1).find((pair) => pair !== undefined);
  return indices === undefined ? null : { from: start + indices[0], to: start + indices[1] };
}

function warnElsewhere(content: string, keyword: string): TemplateFinding[] {
  const match = patternsFor(keyword.normalize('NFKC')).anywhere.exec(foldWidth(content));
  if (match === null) return [];
  const to = match.index + match[0].length;
  const from = match.index + (/^[\s\p{P}\p{S}]/u.test(match[0]) ? 1 : 0);
  return [{ code: 'UNSUBSCRIBE_IN_NON_MARKETING', severity: 'warning', from, to, params: { keyword } }];
}
