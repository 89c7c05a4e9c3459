/**
 * A page of `/docs/errors` for each code that software may get: what to do, whether to repeat the request, an example,
 * and the calls that answer it, made of the OpenAPI document and the catalogue of errors.
 */
import { type ErrorCode, errorCatalogue } from '@pahatid/contract';
import { errors as enErrors } from '../src/features/public/copy/en-US/errors.ts';
import type { ErrorsCopy, PublicLocale } from '../src/features/public/copy/shapes.ts';
import { errors as zhErrors } from '../src/features/public/copy/zh-CN/errors.ts';
import type { Guide } from '../src/features/public/docs/guide-shapes.ts';
import { type CodeLabels, drawCode } from './code-blocks.ts';
import { escapeHtml } from './highlight.ts';
import { type CallOfApi, listCalls } from './reference.ts';

const copyOf: Record<PublicLocale, ErrorsCopy> = { 'zh-CN': zhErrors, 'en-US': enErrors };

/** Codes of a condition that ends without a change by the caller, although their status is of the caller's errors. */
const passing: ReadonlySet<string> = new Set(['GROUP_BUSY', 'FILE_PROCESSING', 'NO_ROUTE', 'FILE_UPLOAD_BROKEN']);
/** What is wrong with one field. */
const exampleErrors: Readonly<Record<string, object>> = {
  VALIDATION_FAILED: { field: 'to', code: 'MOBILE_NUMBER_INVALID' },
  MESSAGES_REFUSED: { field: 'messages.0.to', code: 'MOBILE_NUMBER_INVALID' },
};
const exampleValues: Readonly<Record<string, string | number>> = { retryAfterS: 30, count: 1 };

export function readErrorPages(locale: PublicLocale, labels: CodeLabels): Guide[] {
  const copy = copyOf[locale];
  const calls = listCalls();
  const codes = new Set(calls.flatMap(({ codes: each }) => each));
  return (Object.keys(errorCatalogue) as ErrorCode[])
    .filter((code) => codes.has(code))
    .map((code) => {
      const advice = copy.advice[code];
      if (advice === undefined) throw new Error(`No advice in ${locale} for ${code}`);
      return {
        slug: `errors/${code}`,
        label: code,
        title: code,
        description: `${code}: ${advice}`,
        lead: '',
        html: drawError(code, advice, calls, copy, labels),
        sections: [{ id: '', title: '', text: '', depth: 2 }],
      };
    });
}

function drawError(
  code: ErrorCode,
  advice: string,
  calls: readonly CallOfApi[],
  copy: ErrorsCopy,
  labels: CodeLabels,
): string {
  const { status, params = [] }: { status: number; params?: readonly string[] } = errorCatalogue[code];
  const rows = [
    ['HTTP', String(status)],
    [copy.whatToDo, escapeHtml(advice)],
    [copy.repeat, copy.repeats[repetition(code, status, params)]],
    ...(params.length === 0 ? [] : [[copy.params, params.map((name) => `<code>${name}</code>`).join(', ')]]),
  ].map(([head, text]) => `<tr><th scope="row">${head}</th><td>${text}</td></tr>`);
  const example = drawCode(
    { language: 'json', label: `HTTP ${status}`, code: JSON.stringify(exampleOf(code, status, params), null, 2) },
    labels,
  );
  return `<div class="docs-table"><table><tbody>${rows.join('')}</tbody></table></div><h2>${copy.example}</h2>${example}<h2>${copy.calls}</h2>${drawCalls(code, calls, copy)}`;
}

function repetition(code: string, status: number, params: readonly string[]): keyof ErrorsCopy['repeats'] {
  if (params.includes('retryAfterS')) return 'afterHeader';
  return status >= 500 || passing.has(code) ? 'later' : 'never';
}

function exampleOf(code: ErrorCode, status: number, params: readonly string[]): object {
  const words = code.toLowerCase().replaceAll('_', ' ');
  const values = Object.fromEntries(params.map((name) => [name, exampleValues[name] ?? '…']));
  return {
    type: `{{origin}}/docs/errors/${code}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status,
    code,
    requestId: '0199e8a4-7c1e-7b52-9d0f-5f2f4c8b1a77',
    ...(params.length > 0 && { params: values }),
    ...(exampleErrors[code] && { errors: [exampleErrors[code]] }),
  };
}

function drawCalls(code: string, calls: readonly CallOfApi[], copy: ErrorsCopy): string {
  const found = calls.filter(({ codes }) => codes.includes(code));
  if (found.length === calls.length) return `<p>${copy.everyCall}</p>`;
  const links = found.map(
    ({ method, path, href }) => `<li><a href="${href}"><code>${method} ${escapeHtml(path)}</code></a></li>`,
  );
  return `<ul class="docs-calls">${links.join('')}</ul>`;
}
