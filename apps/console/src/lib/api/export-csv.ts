import { type CallInput, makeRequest, type RouteKey } from '@pahatid/contract';
import { ApiError, problemToError } from './api-error.ts';
import { apiBase } from './call.ts';
import type { GetKey, ReadInput } from './use-call.ts';

/** The server's file name (RFC 6266), or the one given. */
function fileName(disposition: string | null, fallback: string): string {
  const match = disposition?.match(/filename\*=UTF-8''([^;]+)|filename="([^"]+)"/i);
  const encoded = match?.[1];
  if (!encoded) return match?.[2] ?? fallback;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return fallback;
  }
}

async function download(path: string, init: RequestInit, fallbackName: string): Promise<void> {
  let response: Response;
  let blob: Blob;
  try {
    response = await fetch(apiBase + path, { credentials: 'same-origin', ...init });
    blob = await response.blob();
  } catch (cause) {
    throw new ApiError('NETWORK', 0, { cause });
  }
  if (!response.ok) throw problemToError(response.status, await blob.text(), response.headers.get('x-request-id'));
  saveBlob(blob, fileName(response.headers.get('content-disposition'), fallbackName));
}

/** Hands bytes to the browser as a download. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoking immediately would cancel the download in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Fetches a list, or a report, as csv and hands it to the browser as a download. Throws `ApiError`. */
export const exportCsv = <K extends GetKey>(key: K, input: ReadInput<K>, fallbackName: string): Promise<void> =>
  download(makeRequest(key, input).path, { headers: { Accept: 'text/csv' } }, fallbackName);

/** The same for a report requested with a body, whose content must not appear in an address. */
export function exportPosted<K extends RouteKey>(key: K, input: CallInput<K>, fallbackName: string): Promise<void> {
  const { method, path, body } = makeRequest(key, input);
  const headers = { Accept: 'text/csv', 'Content-Type': 'application/json' };
  return download(path, { method, headers, body: JSON.stringify(body) }, fallbackName);
}
