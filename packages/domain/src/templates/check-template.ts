/**
 * The rules of a template's text (specification §5) in one place: the editor runs them on every keystroke, the server
 * as the authority. Each rule is a function in a separate file; this one combines them and bounds the work.
 */
import type { SmsType } from '@pahatid/contract';
import { findShortLinks, isOnDomain } from '../short-links/short-codes.ts';
import { checkEmoticons } from './emoticons.ts';
import type { TemplateFinding } from './findings.ts';
import { hintAdjacent, hintDollar, hintLinkWord, hintOtpValues, hintUnicode } from './hints.ts';
import { type CompiledLexicon, compileLexicon, matchLexicon } from './lexicon.ts';
import { defaultLexicon } from './lexicon-seed.ts';
import { findLinks } from './links.ts';
import { checkSymbols } from './symbols.ts';
import { checkUnsubscribe, DEFAULT_UNSUBSCRIBE_KEYWORD } from './unsubscribe.ts';
import { checkVariableNumbers, checkVariableSyntax, listVariables, type TemplateVariable } from './variables.ts';

/** Code points a template may have, variables counted as written. */
const TEMPLATE_LENGTH_LIMIT = 500;

/**
 * Above this many UTF-16 units a text is too long whatever it contains (a code point, and a CRLF, takes two at most):
 * only the length is checked, which bounds the work.
 */
const CHECKED_LENGTH = TEMPLATE_LENGTH_LIMIT * 2;

export interface TemplateRuleOptions {
  /** Prohibited phrases as staff have them; those of a new installation unless given. */
  lexicon?: CompiledLexicon;
  /** What a recipient sends back to opt out; "T" unless the provider sets another. */
  unsubscribeKeyword?: string;
  /** Number to which a recipient sends it; null or omitted: to the sender. */
  optOutNumber?: string | null;
  /** Domain of our own short links: carriers know them, so they cause no warning. */
  ownDomain?: string;
  /** Values to try: `sampleValues[0]` is that of {1}. */
  sampleValues?: readonly string[];
}

/** All findings, by place; errors come before warnings at the same place. Outer white space does not count. */
export function checkTemplate(content: string, smsType: SmsType, options: TemplateRuleOptions = {}): TemplateFinding[] {
  const text = content.trim();
  if (text === '') return [{ code: 'EMPTY', severity: 'error', from: 0, to: content.length }];
  const start = content.indexOf(text);
  const findings = checkText(text, smsType, options).map((finding) => shift(finding, start));
  return findings.sort((a, b) => a.from - b.from || a.severity.localeCompare(b.severity));
}

function checkText(text: string, smsType: SmsType, options: TemplateRuleOptions): TemplateFinding[] {
  const length = checkLength(text);
  if (text.length > CHECKED_LENGTH) return length;
  const variables = listVariables(text);
  const syntax = checkVariableSyntax(text);
  const symbols = checkSymbols(text);
  return [
    ...length,
    ...symbols,
    ...checkEmoticons(text),
    ...syntax,
    ...checkVariableNumbers(text, variables),
    ...checkFixedText(text, variables, syntax),
    ...checkLinks(text, variables, options.ownDomain),
    ...checkUnsubscribe(text, smsType, options.unsubscribeKeyword ?? DEFAULT_UNSUBSCRIBE_KEYWORD, options.optOutNumber),
    ...checkProhibited(text, options.lexicon),
    ...hintAdjacent(variables),
    ...hintDollar(text, variables),
    ...hintLinkWord(text, variables),
    ...hintOtpValues(variables, smsType, options.sampleValues ?? []),
    ...hintUnicode(text, symbols),
  ];
}

/** From offsets in the trimmed text to offsets in the text given. */
function shift(finding: TemplateFinding, by: number): TemplateFinding {
  if (by === 0) return finding;
  const { fix } = finding;
  return {
    ...finding,
    from: finding.from + by,
    to: finding.to + by,
    ...(fix === undefined ? {} : { fix: { ...fix, from: fix.from + by, to: fix.to + by } }),
  };
}

/** Whether a text may be submitted. */
export function hasErrors(findings: readonly TemplateFinding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

function checkLength(text: string): TemplateFinding[] {
  if (text.length <= TEMPLATE_LENGTH_LIMIT) return [];
  let length = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const isCrlf = text[i] === '\r' && text[i + 1] === '\n';
    if (isCrlf || (text.codePointAt(i) ?? 0) > 0xffff) i++;
    length++;
    if (length === TEMPLATE_LENGTH_LIMIT) from = i + 1;
  }
  if (length <= TEMPLATE_LENGTH_LIMIT) return [];
  const params = { length, limit: TEMPLATE_LENGTH_LIMIT };
  return [{ code: 'TOO_LONG', severity: 'error', from, to: text.length, params }];
}

/** A text of only variables could contain anything. */
function checkFixedText(
  content: string,
  variables: readonly TemplateVariable[],
  syntax: readonly TemplateFinding[],
): TemplateFinding[] {
  let from = 0;
  let fixed = '';
  for (const span of [...variables, ...syntax].sort((a, b) => a.from - b.from)) {
    fixed += content.slice(from, span.from);
    from = span.to;
  }
  fixed += content.slice(from);
  if (/\p{L}/u.test(fixed)) return [];
  return [{ code: 'NO_FIXED_TEXT', severity: 'error', from: 0, to: content.length }];
}

/** Public shorteners, which Philippine carriers block wherever they find them. */
const SHORTENERS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'bit.ly|tinyurl.com|t.co|goo.gl|is.gd|ow.ly|buff.ly|cutt.ly|rebrand.ly|shorturl.at|rb.gy|t.cn|dwz.cn|url.cn|suo.im|tiny.cc|s.id|t.ly|v.gd|bl.ink|lnkd.in'.split(
    '|',
  ),
);

function checkLinks(
  content: string,
  variables: readonly TemplateVariable[],
  ownDomain: string | undefined,
): TemplateFinding[] {
  const own =
    ownDomain === undefined ? [] : findShortLinks(content).filter((each) => isOnDomain(content, each, ownDomain));
  const links = findLinks(content, variables).filter(
    (link) => link.variables.length > 0 || !own.some((each) => link.from <= each.from && each.to <= link.to),
  );
  return links.map((link) => {
    const { from, to } = link;
    const host = link.host.toLowerCase().replace(/^www\./, '');
    const variable = link.variables[0];
    if (variable === undefined) {
      const params = { link: content.slice(from, to), shortener: SHORTENERS.has(host) ? 1 : 0 };
      return { code: 'LINK_PRESENT', severity: 'warning', from, to, params };
    }
    const finding: TemplateFinding = {
      code: 'LINK_HAS_VARIABLE',
      severity: 'error',
      from,
      to,
      params: { link: content.slice(from, to), number: variable.number },
    };
    // "{1}.To pay" is a sentence without its space far more often than the domain of Tonga.
    const sentence = /^\{\d{1,2}\}\.(?=[A-Z][a-z]+$)/.exec(content.slice(from, to));
    if (sentence !== null) {
      const at = from + sentence[0].length;
      finding.fix = { from: at, to: at, insert: ' ' };
    }
    return finding;
  });
}

let compiledDefault: CompiledLexicon | undefined;

function checkProhibited(content: string, lexicon: CompiledLexicon | undefined): TemplateFinding[] {
  if (lexicon === undefined) lexicon = compiledDefault ??= compileLexicon(defaultLexicon);
  return matchLexicon(content, lexicon).map(({ entry, from, to }) => ({
    code: 'PROHIBITED',
    severity: entry.level === 'block' ? 'error' : 'warning',
    from,
    to,
    params: { term: entry.term, category: entry.category, level: entry.level },
  }));
}
