/**
 * The API reference of `/docs`: a page for each resource that software may call, made of the OpenAPI document. Each has the
 * operations with parameters, body, answer and errors, and below them the objects that they name, once.
 */
import { makePublishedOpenApi, resolveResponse } from '@pahatid/contract';
import { docs as enDocs } from '../src/features/public/copy/en-US/docs.ts';
import type { PublicLocale, ReferenceCopy } from '../src/features/public/copy/shapes.ts';
import { docs as zhDocs } from '../src/features/public/copy/zh-CN/docs.ts';
import type { Guide, GuideSection } from '../src/features/public/docs/guide-shapes.ts';
import type { CodeLabels } from './code-blocks.ts';
import { escapeHtml } from './highlight.ts';
import { drawFields, listReferred, type Schema } from './reference-fields.ts';
import { drawSamples } from './reference-samples.ts';
import { makeWebhooksPage } from './reference-webhooks.ts';

type Api = ReturnType<typeof makePublishedOpenApi>;
type Operation = Api['paths'][string][string];

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

const copyOf: Record<PublicLocale, ReferenceCopy> = { 'zh-CN': zhDocs.reference, 'en-US': enDocs.reference };
const labelsOf: Record<PublicLocale, CodeLabels> = { 'zh-CN': zhDocs, 'en-US': enDocs };
let made: Api | undefined;

/** A call that software may make. */
export interface CallOfApi {
  method: string;
  path: string;
  /** Of its place in the reference. */
  href: string;
  /** Of its errors. */
  codes: readonly string[];
}

const readApi = (): Api => {
  made ??= makePublishedOpenApi();
  return made;
};

export const listCalls = (): CallOfApi[] =>
  readApi().tags.flatMap(({ name }) =>
    listEntries(readApi(), name).map(({ method, path, operation: { operationId, responses } }) => ({
      method,
      path,
      href: `/docs/reference/${name}#${operationId}`,
      codes: codesOf(responses).map(([code]) => code),
    })),
  );

/** The first page lists the resources. */
export function readReference(locale: PublicLocale): Guide[] {
  const api = readApi();
  const copy = copyOf[locale];
  // What most programs come for is first.
  const tags = api.tags.toSorted((a, b) => Number(b.name === 'messages') - Number(a.name === 'messages'));
  const resources = tags.flatMap(({ name, description = '' }) => {
    const entries = listEntries(api, name);
    const drawing = { api, copy, labels: labelsOf[locale] };
    return entries.length === 0 ? [] : [makePage(drawing, name, description, entries)];
  });
  const pages = [...resources, makeWebhooksPage(api, copy, labelsOf[locale])];
  return [makeIndex(pages, copy), ...pages];
}

function listEntries(api: Api, tag: string): Entry[] {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags, security }]) => tags.includes(tag) && security.some((way) => 'bearer' in way))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function makeIndex(resources: readonly Guide[], copy: ReferenceCopy): Guide {
  const rows = resources
    .map(
      ({ slug, label, description, sections }) =>
        `<tr><td><a href="/docs/${slug}">${escapeHtml(label)}</a></td><td>${escapeHtml(description)}</td><td>${sections.filter(({ id }) => id !== '').length}</td></tr>`,
    )
    .join('');
  const head = [copy.resource, copy.meaning, copy.calls].map((text) => `<th>${text}</th>`).join('');
  const notes = copy.notes.map((text) => `<li>${text}</li>`).join('');
  return {
    slug: 'reference',
    label: copy.all,
    title: copy.title,
    description: copy.description,
    lead: escapeHtml(copy.description),
    html: `<ul>${notes}</ul><div class="docs-table"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`,
    sections: [{ id: '', title: '', text: '', depth: 2 }],
  };
}

interface Drawing {
  api: Api;
  copy: ReferenceCopy;
  labels: CodeLabels;
}

function makePage(drawing: Drawing, tag: string, description: string, entries: readonly Entry[]): Guide {
  const { api, copy } = drawing;
  const schemas = api.components.schemas as Record<string, Schema>;
  const common = listCommonCodes(entries);
  const operations = entries.map((entry) => drawOperation(entry, drawing, common)).join('');
  const referred = listReferred(operations, (name) => drawObject(name, schemas[name] ?? {}, copy));
  const objects =
    referred.length === 0 ? '' : `<h2 id="objects">${copy.objects}</h2>${referred.map(({ html }) => html).join('')}`;
  const sections: GuideSection[] = [
    { id: '', title: '', text: '', depth: 2 },
    ...entries.map(({ method, path, operation }) => ({
      id: operation.operationId,
      title: `${method} ${path}`,
      text: operation.summary,
      depth: 2,
    })),
  ];
  return {
    slug: `reference/${tag}`,
    label: tag,
    title: tag,
    description,
    lead: escapeHtml(description),
    html: `<div class="docs-api">${drawCommonCodes(common, copy)}${operations}${objects}</div>`,
    sections,
  };
}

/** Described in the guide to limits: it is the same everywhere. */
const IN_EVERY_CALL = 'X-Request-Id';

type Code = readonly [code: string, status: string];

/** Errors of all these calls; of a single call, none. */
function listCommonCodes(entries: readonly Entry[]): readonly Code[] {
  if (entries.length === 1) return [];
  const [first = [], ...others] = entries.map(({ operation }) => codesOf(operation.responses));
  return first.filter(([code]) => others.every((codes) => codes.some(([other]) => other === code)));
}

const drawCommonCodes = (common: readonly Code[], copy: ReferenceCopy): string =>
  common.length === 0 ? '' : `<h3>${copy.commonErrors}</h3><p class="docs-codes">${linkCodes(common)}</p>`;

function drawOperation(
  { method, path, operation }: Entry,
  { api, copy, labels }: Drawing,
  common: readonly Code[],
): string {
  const { operationId: id, summary, requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== IN_EVERY_CALL);
  const scopes = (operation as { 'x-required-scopes'?: string[] })['x-required-scopes'] ?? [];
  const parts = [
    `<h2 id="${id}"><a href="#${id}"><b class="docs-method is-${method.toLowerCase()}">${method}</b> ${escapeHtml(path)}</a></h2><p>${escapeHtml(summary)}.</p>`,
    scopes.length === 0 ? '' : `<p>${copy.scope} ${scopes.map((scope) => `<code>${scope}</code>`).join(', ')}</p>`,
    drawSamples(method, path, operation, api.components.schemas, {
      copy: labels.copy,
      language: labels.language,
      request: copy.request,
      answer: copy.exampleAnswer,
    }),
  ];
  if (parameters.length > 0) {
    const properties = Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
    ) as Record<string, Schema>;
    const required = parameters.filter((each) => each.required).map(({ name }) => name);
    parts.push(`<h3>${copy.parameters}</h3>${drawFields({ type: 'object', properties, required }, copy, true)}`);
  }
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {}))
    parts.push(`<h3>${copy.body} <small>${type}</small></h3>${drawFields(schema, copy, true)}`);
  for (const [status, { content = {} }] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    const types = Object.keys(content).join(', ');
    const [schema] = Object.values(content).map((each) => each.schema as Schema);
    parts.push(`<h3>${copy.answer} ${status} <small>${types}</small></h3>${schema ? drawFields(schema, copy) : ''}`);
  }
  const own = codesOf(responses).filter(([code]) => !common.some(([each]) => each === code));
  if (own.length > 0) parts.push(`<h3>${copy.errors}</h3><p class="docs-codes">${linkCodes(own)}</p>`);
  return `<section>${parts.join('')}</section>`;
}

/** Each leads to its page. */
const linkCodes = (codes: readonly Code[]): string =>
  codes.map(([code, status]) => `<a href="/docs/errors/${code}">${code}</a>&nbsp;${status}`).join(', ');

const codesOf = (responses: Operation['responses']): [code: string, status: string][] =>
  Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .flatMap(([status, response]) => {
      const { description = '' } = resolveResponse(readApi(), response);
      return description.split(', ').map((code): [string, string] => [code, status]);
    });

const drawObject = (name: string, schema: Schema, copy: ReferenceCopy): string =>
  `<h3 id="${name}"><a href="#${name}">${name}</a></h3>${drawFields(schema, copy)}`;
