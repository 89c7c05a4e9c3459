/** The page of the reference with the callbacks that a customer's server receives: the `webhooks` of the document. */
import type { makePublishedOpenApi } from '@pahatid/contract';
import type { ReferenceCopy } from '../src/features/public/copy/shapes.ts';
import type { Guide } from '../src/features/public/docs/guide-shapes.ts';
import { type CodeLabels, drawCode } from './code-blocks.ts';
import { escapeHtml } from './highlight.ts';
import { drawFields, type Schema } from './reference-fields.ts';

interface Webhook {
  operationId: string;
  summary: string;
  description: string;
  parameters: { name: string; description: string; schema: Schema }[];
  requestBody: { content: { 'application/json': { schema: Schema; example: object } } };
}

/** `copy.webhooks`: title, description, and notes, which are HTML. */
export function makeWebhooksPage(
  { webhooks }: Pick<ReturnType<typeof makePublishedOpenApi>, 'webhooks'>,
  copy: ReferenceCopy,
  labels: CodeLabels,
): Guide {
  const found = Object.entries(webhooks).map(([type, { post }]) => ({ type, ...(post as unknown as Webhook) }));
  const notes = copy.webhooks.notes.map((text) => `<li>${text}</li>`).join('');
  const headers = drawHeaders(found[0]?.parameters ?? [], copy);
  return {
    slug: 'reference/webhooks',
    label: 'webhooks',
    title: copy.webhooks.title,
    description: copy.webhooks.description,
    lead: escapeHtml(copy.webhooks.description),
    html: `<ul>${notes}</ul><div class="docs-api"><h2 id="headers">${copy.webhooks.headers}</h2>${headers}${found.map((each) => drawWebhook(each, copy, labels)).join('')}</div>`,
    sections: [
      { id: '', title: '', text: '', depth: 2 },
      ...found.map(({ operationId, type, summary }) => ({
        id: operationId,
        title: type,
        text: summary,
        depth: 2 as const,
      })),
    ],
  };
}

/** The same for every callback. */
function drawHeaders(parameters: Webhook['parameters'], copy: ReferenceCopy): string {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  );
  return drawFields({ type: 'object', properties, required: Object.keys(properties) }, copy);
}

function drawWebhook(
  { operationId: id, type, summary, requestBody }: Webhook & { type: string },
  copy: ReferenceCopy,
  labels: CodeLabels,
): string {
  const { schema, example } = requestBody.content['application/json'];
  // The other shape is an array of these.
  const [event = schema] = schema.oneOf ?? [];
  const code = { language: 'json', label: 'json', code: JSON.stringify(example, null, 2) };
  return `<section><h2 id="${id}"><a href="#${id}">${escapeHtml(type)}</a></h2><p>${escapeHtml(summary)}.</p><h3>${copy.body} <small>application/json</small></h3>${drawFields(event, copy)}${drawCode(code, labels)}</section>`;
}
