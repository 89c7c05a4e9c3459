/**
 * The guides of `/docs`: Markdown files, one for each language, turned into HTML at build time. The first line is the
 * label in the navigation, then a heading, a paragraph that says what the page is for, and sections. `## Title {#id}`
 * names the anchor, the same in every language. Code blocks that follow each other and name a label after their language
 * (```` ```php PHP ````) become tabs. A block that has only `{{sample:NAME}}` shows that sample, which tests run.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { docs as enDocs } from '../src/features/public/copy/en-US/docs.ts';
import type { PublicLocale } from '../src/features/public/copy/shapes.ts';
import { docs as zhDocs } from '../src/features/public/copy/zh-CN/docs.ts';
import { guideSlugs } from '../src/features/public/docs/guide-list.ts';
import type { Guide, GuideSection } from '../src/features/public/docs/guide-shapes.ts';
import { type CodeLabels, drawCode, drawTabs } from './code-blocks.ts';
import { samples as allSamples } from './docs-samples.ts';

const folder = path.resolve(import.meta.dirname, '../src/features/public/docs/guides');
const changelogFile = path.resolve(import.meta.dirname, '../../../CHANGELOG.md');

type Samples = Readonly<Record<string, string>>;

export const docsCopy: Record<PublicLocale, CodeLabels> = { 'zh-CN': zhDocs, 'en-US': enDocs };

export function readGuides(locale: PublicLocale): Guide[] {
  return guideSlugs.map((slug) => {
    const file = path.join(folder, locale, `${slug}.md`);
    const text = readFileSync(file, 'utf8');
    return makeGuide(slug, slug === 'changelog' ? `${text}\n${readChangelog()}` : text, docsCopy[locale], allSamples);
  });
}

/** Without its first heading and introduction. What it links to is not part of the site. */
function readChangelog(): string {
  const text = readFileSync(changelogFile, 'utf8');
  return text
    .slice(text.indexOf('\n## '))
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/^## \[([^\]]+)\]/gm, '## $1');
}

export function makeGuide(slug: string, text: string, labels: CodeLabels, samples: Samples = {}): Guide {
  const label = /^<!-- (.+) -->\n/.exec(text)?.[1];
  if (label === undefined) throw new Error(`The guide ${slug} does not begin with its label`);
  const tokens = new Marked().lexer(text.slice(text.indexOf('\n')));
  const headings = readHeadings(tokens);
  const marked = new Marked({ renderer: makeRenderer(headings) });
  const [heading, lead, ...rest] = tokens.filter(({ type }) => type !== 'space');
  if (heading?.type !== 'heading' || lead?.type !== 'paragraph')
    throw new Error(`The guide ${slug} needs a heading and a paragraph that says what it is for`);
  const draw = (part: Token[]): string => marked.parser(part);
  const blocks = groupCode(rest, (group) => {
    const codes = group.map((code) => readCode(code, samples));
    return codes.length > 1 ? drawTabs(codes, labels) : codes.map((code) => drawCode(code, labels)).join('');
  });
  const plainLead = plainText(lead);
  return {
    slug,
    label,
    title: plainText(heading),
    description: plainLead,
    lead: marked.parseInline((lead as Tokens.Paragraph).text, { async: false }),
    html: blocks.map((block) => (typeof block === 'string' ? block : draw([block]))).join(''),
    sections: splitSections(rest, headings, samples),
  };
}

function makeRenderer(headings: ReadonlyMap<Token, Heading>) {
  return {
    heading(token: Tokens.Heading): string {
      const { depth } = token;
      const { title, id } = headings.get(token)!;
      const inner = new Marked().parseInline(title, { async: false });
      return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>`;
    },
    table(this: { parser: { parseInline: (tokens: Token[]) => string } }, { header, rows }: Tokens.Table): string {
      const cells = (row: Tokens.TableCell[], tag: string): string =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
      const head = header.some(({ text }) => text !== '') ? `<thead><tr>${cells(header, 'th')}</tr></thead>` : '';
      return `<div class="docs-table"><table>${head}<tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table></div>`;
    },
  };
}

interface Heading {
  title: string;
  id: string;
}

/** `{#id}`, or else the words of the title, after the anchor of the section around it. */
function readHeadings(tokens: readonly Token[]): Map<Token, Heading> {
  const found = new Map<Token, Heading>();
  let section = '';
  for (const token of tokens) {
    if (token.type !== 'heading') continue;
    const { text, depth } = token as Tokens.Heading;
    const [, title = text, given] = /^(.*?)(?: \{#([\w-]+)\})?$/.exec(text) ?? [];
    const own = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '');
    const id = given ?? (depth > 2 ? `${section}-${own}` : own);
    if (depth <= 2) section = id;
    found.set(token, { title, id });
  }
  return found;
}

/** Code blocks with a label that follow each other are one group; one without a label stays alone. */
function groupCode(tokens: readonly Token[], draw: (group: Tokens.Code[]) => string): (Token | string)[] {
  const result: (Token | string)[] = [];
  let group: Tokens.Code[] = [];
  const end = () => {
    if (group.length > 0) result.push(draw(group));
    group = [];
  };
  for (const token of tokens) {
    if (token.type !== 'code') {
      end();
      result.push(token);
    } else {
      if (!hasLabel(token as Tokens.Code)) end();
      group.push(token as Tokens.Code);
      if (!hasLabel(token as Tokens.Code)) end();
    }
  }
  end();
  return result;
}

const hasLabel = ({ lang = '' }: Tokens.Code): boolean => lang.includes(' ');

function readCode({ text, lang = '' }: Tokens.Code, samples: Samples) {
  const [language = '', ...label] = lang.split(' ');
  const name = /^\{\{sample:(.+)\}\}$/.exec(text)?.[1];
  const code = name === undefined ? text : samples[name];
  if (code === undefined) throw new Error(`There is no sample ${name}`);
  return { language, label: label.join(' ') || language, code: code.trimEnd() };
}

/** What the search looks through: the text below each heading, without marks. */
function splitSections(
  tokens: readonly Token[],
  headings: ReadonlyMap<Token, Heading>,
  samples: Samples,
): GuideSection[] {
  const sections: GuideSection[] = [{ id: '', title: '', text: '', depth: 2 }];
  for (const token of tokens) {
    const heading = headings.get(token);
    if (heading !== undefined) {
      const { title, id } = heading;
      sections.push({ id, title: title.replaceAll('`', ''), text: '', depth: (token as Tokens.Heading).depth });
    } else {
      const last = sections.at(-1)!;
      const text = token.type === 'code' ? readCode(token as Tokens.Code, samples).code : plainText(token);
      last.text = `${last.text} ${text}`.replaceAll('{{origin}}', '').replaceAll(/\s+/g, ' ').trim();
    }
  }
  return sections;
}

/** The text of a token and everything in it. */
function plainText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(({ tokens }) => tokens.map(plainText).join('')).join(' ')).join(' ');
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map((item) => item.tokens.map(plainText).join(' ')).join(' ');
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token && typeof token.text === 'string' ? token.text : '';
}
