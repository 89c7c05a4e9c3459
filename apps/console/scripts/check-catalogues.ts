/**
 * Rejects catalogues that have diverged and text that is not in them:
 * - the same files and keys in zh-CN and en-US, in the namespace of their file, with the same placeholders and tags;
 * - a text for every error code of the contract, with no other parameters than the code has;
 * - every key used somewhere, every used key present;
 * - no user-visible text in the code: literal JSX text, titles and labels, Chinese characters;
 * - a language that has a catalogue has all of it except the public site, with the plural forms that it needs, in texts
 *   that are not much longer than in English.
 * A key may be computed if its beginning is fixed: t(`tasks.status.${n}`), which counts for all keys below.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { errorCatalogue } from '@pahatid/contract';
import { parseSync } from 'vite';

const source = join(import.meta.dirname, '../src');
const localesFolder = join(source, 'locales');
const languages = ['zh-CN', 'en-US'] as const;
/** Props whose text is shown or read aloud. */
const spokenProps = new Set([
  'title',
  'label',
  'placeholder',
  'alt',
  'aria-label',
  'aria-description',
  'fact',
  'hint',
  'confirmLabel',
]);
/** Written the same in every language. */
const sameEverywhere = /^[\s\d\p{P}\p{S}]*$/u;
const chinese = /\p{Script=Han}/u;
/** Keys that are looked up by codes of the server. */
const fromData = ['error.'];

const problems: string[] = [];
const complain = (where: string, what: string) => problems.push(`${where}: ${what}`);

type Catalogue = Map<string, { message: string; file: string }>;

function readCatalogue(language: string): Catalogue {
  const found: Catalogue = new Map();
  for (const file of readdirSync(join(localesFolder, language)).sort()) {
    const messages = JSON.parse(readFileSync(join(localesFolder, language, file), 'utf8')) as Record<string, string>;
    const namespace = file.replace(/s?\.json$/, '');
    for (const [key, message] of Object.entries(messages)) {
      const where = `locales/${language}/${file}`;
      if (!key.startsWith(`${namespace}.`) && !key.startsWith(`${namespace}s.`))
        complain(where, `${key} belongs to another file`);
      if (found.has(key)) complain(where, `${key} is also in ${found.get(key)?.file}`);
      if (message.trim() === '') complain(where, `${key} is empty`);
      found.set(key, { message, file });
    }
  }
  return found;
}

/** Returns the names of a message's arguments and tags, across all branches. */
function placeholders(elements: readonly MessageFormatElement[], found = new Set<string>()): Set<string> {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    found.add(element.type === TYPE.tag ? `<${element.value}>` : element.value);
    if (element.type === TYPE.tag) placeholders(element.children, found);
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      for (const option of Object.values(element.options)) placeholders(option.value, found);
    }
  }
  return found;
}

function placeholdersOf(where: string, key: string, message: string): string {
  try {
    return [...placeholders(parse(message))].sort().join(', ');
  } catch (error) {
    complain(where, `${key} is not a valid ICU message (${(error as Error).message})`);
    return '';
  }
}

function compareCatalogues(zh: Catalogue, en: Catalogue) {
  for (const [key, { message, file }] of en) {
    const where = `locales/en-US/${file}`;
    if (chinese.test(message)) complain(where, `${key} holds Chinese characters`);
    const other = zh.get(key);
    if (!other) {
      complain(`locales/zh-CN/${file}`, `${key} is missing`);
      continue;
    }
    const [here, there] = [
      placeholdersOf(where, key, message),
      placeholdersOf(`locales/zh-CN/${file}`, key, other.message),
    ];
    if (here !== there) complain(where, `${key} takes {${here}} here and {${there}} in zh-CN`);
  }
  for (const [key, { file }] of zh) if (!en.has(key)) complain(`locales/en-US/${file}`, `${key} is missing`);
}

/** The public site is in zh-CN and en-US; the sign-in shows its first screenful. */
const isForTranslators = (key: string): boolean =>
  !key.startsWith('landing.') || /^landing\.(?:hero|nav|sample|bar|menu|state)\b/.test(key);

/** Plural forms that a message gives, of each of its plurals. */
function pluralForms(elements: readonly MessageFormatElement[]): string[][] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return pluralForms(element.children);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const inner = Object.values(element.options).flatMap((option) => pluralForms(option.value));
    return element.type === TYPE.plural ? [Object.keys(element.options), ...inner] : inner;
  });
}

/** Numbers without a rule in the browser fall back to `other`; forms for very large numbers alone may be left out. */
const missingForms = (language: string, given: readonly string[]): string[] =>
  new Intl.PluralRules(language)
    .resolvedOptions()
    .pluralCategories.filter((form) => form !== 'many' && !given.includes(form));
const needsMany = new Set(['ar', 'be', 'ga', 'pl', 'ru', 'uk']);

function checkTranslation(language: string, en: Catalogue) {
  const found = readCatalogue(language);
  for (const [key, { message, file }] of en) {
    if (!isForTranslators(key)) continue;
    const where = `locales/${language}/${file}`;
    const text = found.get(key)?.message;
    if (text === undefined) {
      complain(where, `${key} is missing`);
      continue;
    }
    const [here, there] = [placeholdersOf(where, key, text), placeholdersOf(`locales/en-US/${file}`, key, message)];
    if (here !== there) complain(where, `${key} takes {${here}} here and {${there}} in en-US`);
    if (text.length > 2 * message.length + (/plural|select/.test(text) ? 120 : 12))
      complain(where, `${key} is too long for its place: ${text.length} characters for ${message.length}`);
    for (const given of pluralForms(parse(text))) {
      const missing = missingForms(language, given);
      if (needsMany.has(language.split('-')[0] ?? '') && !given.includes('many')) missing.push('many');
      if (missing.length > 0) complain(where, `${key} lacks the plural ${missing.join(', ')}`);
    }
  }
  for (const [key, { file }] of found)
    if (!en.has(key) || !isForTranslators(key))
      complain(`locales/${language}/${file}`, `${key} is not for translators`);
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function walk(node: Node, visit: (node: Node) => void) {
  visit(node);
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const child of value) isNode(child) && walk(child, visit);
    else if (isNode(value)) walk(value, visit);
  }
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length;

interface Uses {
  keys: Map<string, string>;
  beginnings: Map<string, string>;
}

function readSource(file: string, keys: Set<string>, namespaces: Set<string>, uses: Uses) {
  const text = readFileSync(file, 'utf8');
  const name = relative(source, file);
  // Texts of the public pages: a shared type ensures both languages.
  const isCopy = name.startsWith('features/public/copy/');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) complain(name, `can't be parsed: ${errors[0]?.message}`);
  const at = (node: Node) => `${name}:${lineOf(text, node.start)}`;
  const looksLikeKey = (value: string) => /^[a-z]+\.[\w.-]+$/i.test(value) && namespaces.has(value.split('.')[0] ?? '');

  walk(program as unknown as Node, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') {
      if (keys.has(node.value)) uses.keys.set(node.value, at(node));
      else if (looksLikeKey(node.value) && !/\.(json|tsx?|css|csv|xlsx?|svg)$/.test(node.value))
        complain(at(node), `${node.value} is in no catalogue`);
      if (chinese.test(node.value) && !isCopy) complain(at(node), 'Chinese text outside the catalogues');
    }
    if (node.type === 'TemplateLiteral') {
      const quasis = node.quasis as { value: { cooked: string } }[];
      const beginning = quasis[0]?.value.cooked ?? '';
      if (quasis.length > 1 && /^[a-z]+\./i.test(beginning) && namespaces.has(beginning.split('.')[0] ?? '')) {
        uses.beginnings.set(beginning, at(node));
      }
      if (!isCopy && quasis.some((quasi) => chinese.test(quasi.value.cooked)))
        complain(at(node), 'Chinese text outside the catalogues');
    }
    if (node.type === 'JSXText' && !sameEverywhere.test(node.value as string)) {
      complain(at(node), `text outside the catalogues: ${(node.value as string).trim().slice(0, 40)}`);
    }
    if (node.type === 'JSXAttribute') {
      const { name: attribute, value } = node as unknown as { name: { name: string }; value: Node | null };
      const literal = value?.type === 'Literal' && typeof value.value === 'string' ? value.value : '';
      if (spokenProps.has(attribute.name) && !sameEverywhere.test(literal))
        complain(at(node), `${attribute.name}="${literal}" is text outside the catalogues`);
    }
  });
}

function checkUses(en: Catalogue, uses: Uses) {
  for (const [beginning, where] of uses.beginnings) {
    if (![...en.keys()].some((key) => key.startsWith(beginning))) complain(where, `no key begins with ${beginning}`);
  }
  for (const [key, { file }] of en) {
    const computed = [...uses.beginnings.keys(), ...fromData].some((beginning) => key.startsWith(beginning));
    if (!uses.keys.has(key) && !computed) complain(`locales/en-US/${file}`, `${key} is used nowhere`);
  }
}

/** A text may leave a parameter of its error out, but not ask for one that never comes. */
function checkErrors(en: Catalogue) {
  for (const [code, entry] of Object.entries(errorCatalogue)) {
    const found = en.get(`error.${code}`);
    if (!found) {
      complain('locales/en-US/errors.json', `error.${code} is missing`);
      continue;
    }
    const params: readonly string[] = 'params' in entry ? entry.params : [];
    for (const asked of placeholders(parse(found.message))) {
      if (!params.includes(asked))
        complain('locales/en-US/errors.json', `error.${code} asks for {${asked}}, which never comes`);
    }
  }
}

const [zh, en] = languages.map(readCatalogue) as [Catalogue, Catalogue];
compareCatalogues(zh, en);
checkErrors(en);
const translated = readdirSync(localesFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !languages.some((language) => language === entry.name))
  .map(({ name }) => name);
for (const language of translated) checkTranslation(language, en);

const uses: Uses = { keys: new Map(), beginnings: new Map() };
const namespaces = new Set([...en.keys()].map((key) => key.split('.')[0] ?? ''));
const keys = new Set(en.keys());
for (const entry of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
  if (/\.tsx?$/.test(entry) && !/\.(test|d)\.tsx?$/.test(entry))
    readSource(join(source, entry), keys, namespaces, uses);
}
checkUses(en, uses);

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? `${en.size} texts in ${languages.join(' and ')} and ${translated.length} translations: equal, used, complete`
    : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
