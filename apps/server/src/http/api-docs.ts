/**
 * The contract for programs (/api/openapi.json), compressed and with an ETag, and for people (/api/docs): one plain page with
 * no script, also where no console was built. The reference of the documentation is `/docs/reference`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { makeOpenApi, makePublishedOpenApi } from '@pahatid/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../process/config.ts';
import { pagePolicy } from './headers.ts';
import { chooseEncoding, makeCompressor } from './public-pages.ts';

export function serveApiDocs(app: FastifyInstance, config: Pick<Config, 'publicUrl' | 'mailFrom'>): void {
  let made: { json: string; etag: string } | null = null;
  let page: string | null = null;
  const compressed = makeCompressor();
  app.get('/api/openapi.json', async (request, reply) => {
    made ??= makeDocument(config);
    // The same content in another encoding: weak.
    reply.header('etag', made.etag).header('cache-control', 'no-cache').header('vary', 'Accept-Encoding');
    if (isKnown(request.headers['if-none-match'], made.etag)) return reply.code(304).send();
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(await compressed('openapi', made.json, encoding));
  });
  app.get('/api/docs', async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    page ??= makePage();
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy(nonce))
      .send(page.replace(nonceMark, nonce));
  });
}

function makeDocument({ publicUrl, mailFrom }: Pick<Config, 'publicUrl' | 'mailFrom'>): { json: string; etag: string } {
  // The address alone: `Pahatid <no-reply@localhost>`.
  const email = /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom;
  const json = JSON.stringify(makePublishedOpenApi({ publicUrl, email }));
  return { json, etag: `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"` };
}

/** The header lists tags, of which one must match; a proxy may have made a weak tag strong. */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}

const nonceMark = '__NONCE__';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;color-scheme:light dark}
h2{margin-top:2.5rem}details{border-top:1px solid #8884;padding:.5rem 0}summary{cursor:pointer}
code,pre{font:14px/1.45 ui-monospace,monospace}code{overflow-wrap:anywhere}pre{overflow:auto;padding:.75rem;background:#8881;border-radius:.375rem}
.method{display:inline-block;min-width:4.5rem;font-weight:600}`;

function makePage(): string {
  const api = makeOpenApi();
  const sections = api.tags.map(({ name }) => {
    const operations = Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => operation.tags.includes(name))
        .map(([method, operation]) => describeOperation(method, path, operation)),
    );
    return `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>${operations.join('')}`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(api.info.title)}</title><style nonce="${nonceMark}">${style}</style></head><body><main><h1>${escapeHtml(api.info.title)}</h1>
<p>${escapeHtml(api.info.description)}</p><p>OpenAPI 3.1: <a href="/api/openapi.json">/api/openapi.json</a>. Error codes: <a href="/docs/errors">/docs/errors</a></p>${sections.join('')}</main></body></html>`;
}

type Operation = ReturnType<typeof makeOpenApi>['paths'][string][string];

function describeOperation(method: string, path: string, operation: Operation): string {
  const parts = [
    ['Parameters', operation.parameters],
    ['Body', operation.requestBody],
    ['Answers', operation.responses],
  ] as const;
  const shown = parts
    .filter(([, value]) => value !== undefined)
    .map(([title, value]) => `<h4>${title}</h4><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`);
  return `<details><summary><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary)}</summary>
<p>${escapeHtml(operation.description)}</p>${shown.join('')}</details>`;
}
