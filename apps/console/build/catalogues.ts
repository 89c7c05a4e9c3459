import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { routes } from '@pahatid/contract';
import type { Plugin } from 'vite';

/**
 * Catalogues are JSON files `src/locales/<locale>/<feature>.json` of ICU messages. This plugin compiles them into ASTs
 * at build time, so that the browser needs no message parser, and splits them into modules, one per part of the
 * program: `virtual:catalogue/<locale>/signIn` (the sign-in), `…/arrival` (what leads to it), `…/console` (the rest,
 * loaded with the shell). `…/public` is for rendering the public pages and reaches no browser. Keys that a catalogue
 * lacks are taken from en-US. `…/routing`, `…/audit`, `…/customers`, `…/abTests`, `…/sendHours`, `…/thresholds`, `…/conversations`, `…/consents`, `…/dossiers` and `…/savedViews` come with their screens.
 * `virtual:translated-catalogues` lists the languages other than zh-CN and en-US, with their modules.
 */
const prefix = 'virtual:catalogue/';
const listId = 'virtual:translated-catalogues';
const fallback = 'en-US';
const written = new Set(['zh-CN', fallback]);
const signInFeatures = new Set(['session', 'secondFactor', 'ui']);
const arrivalFeatures = new Set(['captcha', 'passwords', 'setup', 'invitations']);
/** The sign-in shows the first screenful of the landing page, without the content of its pictures. */
const heroKeys = /^landing\.(?:hero|bar|menu|nav\.(?!saas|cpaas|api|terms|privacy))\b/;
/** Shown at the sign-in for a puzzle that is not solved yet. */
const signInKeys = new Set(['captcha.missing']);
/** Labels of the kit used by lists, charts and long forms, of which there are none before the shell. */
const shellKeys =
  /^ui\.(?:moreFilters|clearFilters?|apply|newer|older|pages|columns|density|export|exporting|noMatches|rows|range|rangeOf|phone|segments?|zoned?|new|show|share|discard|cancel|save|copy|copied|copyFailed|required|offline|peek|skipToContent)\b/;
/** Those of the pages that links in mails lead to: their bars have the language and the theme to choose. */
const barKeys = /^ui\.(?:language|theme|clear)\b/;
/** Shown at the second step, which has separate texts. */
const isAfterFirstStep = (key: string): boolean =>
  key.startsWith('secondFactor.') && key !== 'secondFactor.title' && key !== 'secondFactor.passkey.alone';
/**
 * Possible errors of a sign-in by account or passkey; all other public routes lead there and are loaded with `arrival`.
 */
const signInErrors = new Set<string>([
  ...errorsOf((key) => key === 'POST /session' || key.startsWith('POST /session/passkey')),
  ...['UNKNOWN', 'NETWORK', 'UNREADABLE_ANSWER', 'PASSKEY_CANCELLED', 'INTERNAL', 'UNAVAILABLE', 'VALIDATION_FAILED'],
  ...['RATE_LIMITED', 'NOT_SIGNED_IN', 'NOT_FOUND', 'FORBIDDEN'],
  ...['field.INVALID', 'field.REQUIRED', 'field.TOO_LONG', 'field.CHARACTERS'],
]);
/** Errors of fields are few and short. */
const isArrivalError = (code: string): boolean => code.startsWith('field.') || publicErrors.has(code);
const publicErrors = new Set<string>(errorsOf((key) => routes[key].access === 'public'));

function errorsOf(isMeant: (key: keyof typeof routes) => boolean): readonly string[] {
  return (Object.keys(routes) as (keyof typeof routes)[]).flatMap((key) =>
    isMeant(key) ? ((routes[key] as { errors?: readonly string[] }).errors ?? []) : [],
  );
}

/** Features whose texts come with their screens, and of them what other screens show: titles, filters, fields of the audit log. */
const apart: Readonly<Record<string, RegExp>> = {
  routing:
    /^routing\.(?:trace|trial|setAside\.title|tab\.customerBinds|bind\.connecting|route\.search|price\.from|prefix|supplier|route|areaCode|bindType|bindCount|window|tls|idBase|receipt\w*|query|queueFull|alphabet|serviceType|systemType|source\w*|destination\w*|validity)(?:$|\.)/,
  customers:
    /^customers\.(?:amount|amount\.hint\.topUp|amount\.wrong\.topUp|enter\.confirm\.topUp|policy\..*|search|smsType\..*|tab\.settings|useState\..*)$/,
  audit: /^audit\.(?:title|time|empty\.title|type\.(?:key|tasks))$/,
  abTests: /^$/,
  sendHours: /^$/,
  savedViews: /^$/,
  conversations: /^conversations\.title$/,
  consents: /^consents\.(?:title|wording|givenTime|file|policy\.require)$/,
  dossiers: /^dossiers\.title$/,
  thresholds:
    /^thresholds\.(?:title|act|alertAt|limitAt|amount|area|bound|emails|event|exempt|factor|field|history|metric|minVolume|mobileNumbers|period|pumping|silenceMinutes|smsType|text|unit|webhooks|windowMinutes)(?:$|\.(?!hint$|note$|wrong|more$|empty$|order$|required$))/,
};

type Part =
  | 'public'
  | 'signIn'
  | 'arrival'
  | 'console'
  | 'routing'
  | 'audit'
  | 'customers'
  | 'abTests'
  | 'sendHours'
  | 'thresholds'
  | 'conversations'
  | 'consents'
  | 'dossiers'
  | 'savedViews';

export function isIn(part: Part, feature: string, key: string): boolean {
  if (part === 'public') return feature === 'landing' || feature === 'errors' || signInFeatures.has(feature);
  if (feature === 'landing') return part === 'signIn' && heroKeys.test(key);
  if (signInKeys.has(key)) return part === 'signIn';
  if (feature === 'errors') {
    const code = key.slice('error.'.length);
    return part === (signInErrors.has(code) ? 'signIn' : isArrivalError(code) ? 'arrival' : 'console');
  }
  const shared = apart[feature];
  if (shared !== undefined) return part === (shared.test(key) ? 'console' : feature);
  if (part in apart) return false;
  if (shellKeys.test(key)) return part === 'console';
  if (barKeys.test(key) || isAfterFirstStep(key)) return part === 'arrival';
  if (signInFeatures.has(feature)) return part === 'signIn';
  return (part === 'arrival') === arrivalFeatures.has(feature) && part !== 'signIn';
}

/** Plain text stays a string, which is smaller than its AST. */
function compileMessage(key: string, message: string): unknown {
  try {
    const ast = parse(message, { captureLocation: false });
    const [first, second] = ast;
    if (first === undefined) return '';
    return second === undefined && first.type === TYPE.literal ? first.value : ast;
  } catch (cause) {
    throw new Error(`Message ${key} is not a valid ICU message: ${message}`, { cause });
  }
}

function readCatalogue(folder: string, part: Part, watch: (file: string) => void): Record<string, unknown> {
  const compiled: Record<string, unknown> = {};
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    const path = join(folder, file);
    watch(path);
    const messages = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    for (const [key, message] of Object.entries(messages))
      if (isIn(part, file.slice(0, -5), key)) compiled[key] = compileMessage(key, message);
  }
  return compiled;
}

/** Languages that have a folder, but the two that every page knows of. */
const translatedIn = (localesFolder: string): string[] =>
  readdirSync(localesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !written.has(entry.name))
    .map(({ name }) => name)
    .sort();

function listModule(localesFolder: string): string {
  const lines = translatedIn(localesFolder).map((locale) => {
    const parts = ['signIn', 'arrival', 'console', ...Object.keys(apart)].map(
      (part) => `${part}: () => import('${prefix}${locale}/${part}')`,
    );
    return `'${locale}': { ${parts.join(', ')} },`;
  });
  return `export const translated = {\n${lines.join('\n')}\n};`;
}

export function catalogues(localesFolder: string): Plugin {
  // The same behind every translation of a build: read once for each part.
  const fallbacks = new Map<Part, Record<string, unknown>>();
  const fallbackOf = (part: Part, watch: (file: string) => void): Record<string, unknown> => {
    const known = fallbacks.get(part) ?? readCatalogue(join(localesFolder, fallback), part, watch);
    fallbacks.set(part, known);
    return known;
  };
  const compiled = (locale: string, part: Part, watch: (file: string) => void): Record<string, unknown> => ({
    ...(!written.has(locale) && fallbackOf(part, watch)),
    ...readCatalogue(join(localesFolder, locale), part, watch),
  });
  return {
    name: 'pahatid-catalogues',
    resolveId(id) {
      return id.startsWith(prefix) || id === listId ? `\0${id}` : undefined;
    },
    load(id) {
      if (id === `\0${listId}`) return listModule(localesFolder);
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const [locale = '', part] = id.slice(prefix.length + 1).split('/');
      const messages = compiled(locale, part as Part, (file) => this.addWatchFile(file));
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(messages))});`;
    },
    handleHotUpdate({ file, server }) {
      if (!file.startsWith(localesFolder)) return;
      fallbacks.clear();
      for (const [id, module] of server.moduleGraph.idToModuleMap) {
        if (id.startsWith(`\0${prefix}`)) server.moduleGraph.invalidateModule(module);
      }
      server.ws.send({ type: 'full-reload' });
    },
  };
}
