/**
 * Serves the built console: one page for every screen, and its files. The page is read once and sent with a fresh nonce
 * each time; files under /assets have a hash in their name, so they may be cached forever, and a missing one is an
 * error (by which the console distinguishes a stale release from a broken network). The page names the files that its
 * screen needs, so that the browser requests all of them immediately.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { errorCatalogue } from '@pahatid/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { pagePolicy } from './headers.ts';
import { allowedMethods } from './methods.ts';
import { ProblemError } from './problem.ts';
import { chooseEncoding, type PublicSite, readPublicPages } from './public-pages.ts';

/** Screens and public pages, specification §2 plus our own. Other addresses get the same page as a 404. */
const screens = new Set([
  '/',
  '/meta',
  '/terms-and-conditions',
  '/privacy-policy',
  '/faq',
  '/services',
  '/services/saas',
  '/services/cpaas',
  '/about',
  '/contact',
  '/request-account',
  '/price',
  '/setup',
  '/invitation',
  '/overview',
  '/home',
  '/application',
  '/messageGroup',
  '/opt-outs',
  '/consents',
  '/smsTemplate',
  '/deliveryThreshold',
  '/bulkMessage',
  '/bulkMessage/addMessage',
  '/bussinessStatistics/sendRecord',
  '/bussinessStatistics/statistics',
  '/bussinessStatistics/shortLinkStatics',
  '/sender',
  '/review',
  '/customer',
  '/routing',
  '/auditLog',
  '/member',
  '/billing',
  '/billing/invoice',
  '/privacy',
  '/developer',
  '/account',
  '/notice',
  '/inbound',
  '/conversation',
  '/unownedReply',
  '/dossier',
  '/setAsideEvent',
  '/approvals',
  '/accountRequest',
  '/enquiry',
  '/staff',
]);

export const defaultConsoleDir = path.resolve(import.meta.dirname, '../../../console/dist');

const nonceMark = '__CSP_NONCE__';

interface Site extends PublicSite {
  readonly consoleDir: string;
}

export async function serveConsole(app: FastifyInstance, { consoleDir, ...site }: Site): Promise<void> {
  const read = (url: string, handler: RouteHandlerMethod) => app.route({ method: ['GET', 'HEAD'], url, handler });
  read('/login', async (request, reply) => reply.redirect(signInPage(request), 302));
  const pageFile = path.join(consoleDir, 'index.html');
  if (!existsSync(pageFile)) {
    app.log.warn({ consoleDir }, 'console not built, serving only the API');
    app.setNotFoundHandler(refuseUnknown);
    return;
  }
  const pageOf = readPages(consoleDir);
  await app.register(fastifyStatic, {
    root: consoleDir,
    serve: false,
    cacheControl: false,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/assets/*',
    handler: (request, reply) =>
      sendFile(reply, consoleDir, pathOf(request).slice(1), 'public, max-age=31536000, immutable'),
  });
  const visitors = readPublicPages(consoleDir, site);
  if (visitors !== null) {
    read('/sitemap.xml', (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('application/xml; charset=utf-8').send(visitors.sitemap()),
    );
    read('/robots.txt', (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send(visitors.robots()),
    );
  }
  // Identifies a kind of problem. What only the console may get has no page, but an anchor on the page of all codes.
  read('/docs/errors/:code', (request, reply) => {
    const { code } = request.params as { code: string };
    if (visitors === null || !Object.hasOwn(errorCatalogue, code)) return reply.callNotFound();
    const address = `/docs/errors/${code}`;
    if (visitors.paths.has(address)) return visitors.send(request, reply, address);
    return reply.redirect(`/docs/errors#${code}`, 302);
  });
  app.setNotFoundHandler((request, reply) => {
    const address = pathOf(request);
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    if (!wantsPage || isProgram(address)) return refuseUnknown(request, reply);
    if (/\.[a-z0-9]{1,8}$/i.test(address)) return sendFile(reply, consoleDir, address.slice(1), 'no-cache');
    const screen = address === '/' ? address : address.replace(/\/$/, '');
    if (visitors?.paths.has(screen) && !opensSignIn(request, screen)) return visitors.send(request, reply, screen);
    return sendPage(request, reply, pageOf(screen), screens.has(screen) ? 200 : 404);
  });
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';
/** The sign-in lies over the landing page, and is drawn by the console. */
const opensSignIn = (request: FastifyRequest, screen: string): boolean => {
  const { login, forgot } = request.query as { login?: unknown; forgot?: unknown };
  return screen === '/' && (login !== undefined || forgot !== undefined);
};
const isProgram = (address: string): boolean => /^\/(?:api|s|assets|public)(?:\/|$)/.test(address);

function refuseUnknown(request: FastifyRequest, reply: FastifyReply): never {
  const allowed = allowedMethods(pathOf(request));
  if (allowed.length === 0 || allowed.includes(request.method)) throw new ProblemError('NOT_FOUND');
  reply.header('allow', allowed.join(', '));
  throw new ProblemError('METHOD_NOT_ALLOWED');
}

/** Returns the page for a path, with the links recorded by the build; `*` matches all other paths. */
function readPages(consoleDir: string): (screen: string) => string {
  const page = readFileSync(path.join(consoleDir, 'index.html'), 'utf8');
  const file = path.join(consoleDir, 'public', 'preloads.json');
  const links = new Map(
    existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : [],
  );
  const pages = new Map([...links].map(([screen, link]) => [screen, page.replace('</head>', `${link}</head>`)]));
  return (screen) => pages.get(screen) ?? pages.get('*') ?? page;
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** The page differs each time by its nonce, so it is packed each time: quick before small. */
const brotliParams = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  status: number,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64');
  const html = page.replaceAll(nonceMark, nonce);
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply
    .code(status)
    .header('content-security-policy', pagePolicy(nonce))
    .header('cache-control', 'no-store')
    .header('vary', 'Accept-Encoding')
    .type('text/html; charset=utf-8')
    .send(encoding === 'br' ? await brotli(html, brotliParams) : encoding === 'gzip' ? await gzipped(html) : html);
}

/** Checks for the file first: the plugin's own response to a missing file would come back here. */
function sendFile(reply: FastifyReply, root: string, name: string, cacheControl: string): FastifyReply {
  let decoded: string;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    throw new ProblemError('NOT_FOUND');
  }
  const file = path.join(root, decoded);
  if (!file.startsWith(root + path.sep) || decoded.includes('\0') || !isFile(file)) throw new ProblemError('NOT_FOUND');
  return reply.header('cache-control', cacheControl).sendFile(decoded);
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

/** Back to the same place after the sign-in; never to another site. */
function signInPage(request: FastifyRequest): string {
  const { next } = request.query as { next?: unknown };
  const isLocal = typeof next === 'string' && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next);
  return isLocal ? `/?login=1&next=${encodeURIComponent(next)}` : '/?login=1';
}
