import { makeRequest } from '@pahatid/contract';
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

/** Fetches a list, or a report, as csv and hands it to the browser as a download. Throws `ApiError`. */
export async function exportCsv<K extends GetKey>(key: K, input: ReadInput<K>, fallbackName: string): Promise<void> {
  const { path } = makeRequest(key, input as never);
  let response: Response;
  let blob: Blob;
  try {
    response = await fetch(apiBase + path, { credentials: 'same-origin', headers: { Accept: 'text/csv' } });
    blob = await response.blob();
  } catch (cause) {
    throw new ApiError('NETWORK', 0, { cause });
  }
  if (!response.ok) throw problemToError(response.status, await blob.text(), response.headers.get('x-request-id'));
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(response.headers.get('content-disposition'), fallbackName);
  link.click();
  // Revoking at once would cancel the download in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
