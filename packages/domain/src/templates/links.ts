import { parse } from 'tldts';
import { listVariables, type TemplateVariable } from './variables.ts';

/**
 * Text that a handset would turn into a link. A *run* is a maximal stretch of URL characters and placeholders; it is a
 * link if it has a scheme, "www.", an IPv4 address with a port or path, or a host under a public suffix. Every scan
 * here is linear: no pattern uses nested or overlapping repetition.
 */
export interface LinkRun {
  from: number;
  to: number;
  variables: TemplateVariable[];
  /** The part that makes it a link. */
  host: string;
}

/** `ambiguous`: resembles both a host and a name written without a space ("Dr.Co"); it is kept and counted. */
export type ValueVerdict = 'plain' | 'ambiguous' | 'link';

/** Han, kana and the like end a run: texts in them put no space before a link. */
const RUN = /[A-Za-z0-9\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\-._~:/?#[\]@!$&'()*+,;=%]+/gu;
const HOST_TOKEN = /[\p{L}\p{M}\p{Nd}.-]+/gu;
const WWW = /(?<![a-z0-9])www\.[a-z0-9]/i;
const IPV4 = /(?<![\d.])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?::\d|\/)/;

/** Replaces a placeholder by letters that are not a top-level domain, at the same length so that offsets stay valid. */
const FILLER = 'xqqqqq';

/** The links of a template's text; a link with variables in its run is what the rules forbid. */
export function findLinks(content: string, variables: readonly TemplateVariable[] = listVariables(content)): LinkRun[] {
  const text = foldWidth(fill(content, variables));
  const links: LinkRun[] = [];
  for (const match of text.matchAll(RUN)) {
    const host = findLinkIn(match[0]);
    if (host === null) continue;
    const end = match.index + match[0].length;
    const inside = variables.filter((variable) => variable.from >= match.index && variable.to <= end);
    if (inside.length === 0 && readsAsName(host) && !match[0].includes(`${host}/`)) continue;
    const trimmed = inside.length > 0 ? match[0] : match[0].replace(/[.,;:!?)'\]]{1,5}$/, '');
    links.push({ from: match.index, to: match.index + trimmed.length, variables: inside, host });
  }
  return links;
}

function fill(content: string, variables: readonly TemplateVariable[]): string {
  let text = '';
  let from = 0;
  for (const variable of variables) {
    text += content.slice(from, variable.from) + FILLER.slice(0, variable.to - variable.from);
    from = variable.to;
  }
  return text + content.slice(from);
}

/** Full-width ASCII read as ASCII, at the same length. */
export function foldWidth(text: string): string {
  return text.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/** The evidence that a run is a link, or null. */
function findLinkIn(run: string): string | null {
  const scheme = run.indexOf('://');
  if (scheme > 0 && /[A-Za-z0-9]/.test(run[scheme - 1]!)) return run.slice(scheme + 3).split(/[/?#:]/, 1)[0] ?? '';
  if (!run.includes('.')) return null;
  const www = WWW.exec(run);
  if (www !== null) return run.slice(www.index).split(/[/?#:]/, 1)[0] ?? '';
  const address = findAddress(run);
  if (address !== null) return address;
  for (const token of run.matchAll(HOST_TOKEN)) {
    const host = judgeHost(run, token[0], token.index);
    if (host !== null) return host;
  }
  return null;
}

function findAddress(run: string): string | null {
  const match = IPV4.exec(run);
  if (match === null) return null;
  return match.slice(1, 5).every((octet) => Number(octet) <= 255) ? match.slice(1, 5).join('.') : null;
}

/** The host inside a token of letters, digits, dots and hyphens, unless it belongs to an e-mail address. */
function judgeHost(text: string, token: string, at: number): string | null {
  if (!token.includes('.')) return null;
  if (text[at - 1] === '@' || text[at + token.length] === '@') return null;
  for (const part of token.split('..')) {
    const host = part.replace(/^[.-]+/, '').replace(/(?<![.-])[.-]+$/, '');
    if (isPublicHost(host)) return host;
  }
  return null;
}

/** "9.am" and "5.pm" are times, though both endings are countries. */
const TIME = /^\d{1,2}\.[ap]m$/i;

function isPublicHost(host: string): boolean {
  const dot = host.lastIndexOf('.');
  // No top-level domain begins with a digit, which spares the list all amounts and dates.
  if (dot <= 0 || host.length > 253 || /^\d/.test(host.slice(dot + 1))) return false;
  if (TIME.test(host)) return false;
  const { isIcann, domain } = parse(host.toLowerCase(), {
    allowPrivateDomains: false,
    extractHostname: false,
    detectIp: false,
  });
  return isIcann === true && domain !== null;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Judges a value of an uploaded file: one that makes a link rejects its row. Read after NFKC, with ideographic full
 * stops as dots and zero-width characters removed, since handsets and people read it so.
 */
export function checkValue(value: string): ValueVerdict {
  let dotted = false;
  let ascii = true;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code === 0x2e || code === 0x3a) dotted = true;
    else if (code > 0x7e) ascii = false;
  }
  if (ascii) return dotted ? judge(value) : 'plain';
  const text = value.normalize('NFKC').replace(INVISIBLE, '').replace(/[。｡]/g, '.');
  return text.includes('.') || text.includes(':') ? judge(text) : 'plain';
}

function judge(text: string): ValueVerdict {
  const scheme = text.indexOf('://');
  if (scheme > 0 && /[A-Za-z0-9]/.test(text[scheme - 1]!)) return 'link';
  if (!/[^\s.]\.[^\s.]/.test(text)) return 'plain';
  if (WWW.test(text) || findAddress(text) !== null) return 'link';
  let verdict: ValueVerdict = 'plain';
  for (const token of text.matchAll(HOST_TOKEN)) {
    const host = judgeHost(text, token[0], token.index);
    if (host === null) continue;
    const after = text[token.index + token[0].length] ?? '';
    if ('/:?#'.includes(after) && after !== '') return 'link';
    if (!readsAsName(host)) return 'link';
    verdict = 'ambiguous';
  }
  return verdict;
}

/** Filipino surnames that are also country suffixes. */
const SURNAMES: ReadonlySet<string> = /* @__PURE__ */ new Set(['Co', 'So', 'Ng', 'Sy', 'Uy']);
/** Titles and parts of addresses written without a space before the next word. */
const PREFIX =
  /^(?:Mr|Mrs|Ms|Dr|Dra|Atty|Engr|Arch|Hon|Rev|Fr|Sr|Jr|Prof|Gen|Col|Capt|Sgt|St|Sta|Sto|Ma|Brgy|Bgy|Bldg)$/;
const TITLE_CASE = /^\p{Lu}\p{Ll}*$/u;
const PO_BOX = /^p\.?o\.?box$/i;

/** Whether a host is more likely a name or address without its space: "Dr.Co", "D.Co", "J.D.Sy", "P.O.Box", "Mr.Ong". */
function readsAsName(host: string): boolean {
  if (PO_BOX.test(host)) return true;
  const labels = host.split('.');
  if (!labels.every((label) => TITLE_CASE.test(label))) return false;
  const last = labels.at(-1)!;
  const before = labels.slice(0, -1);
  if (SURNAMES.has(last)) return before.length === 1 || before.every((label) => label.length === 1);
  return before.length === 1 && PREFIX.test(before[0]!);
}
