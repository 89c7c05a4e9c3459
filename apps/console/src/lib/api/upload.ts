import { ApiError, problemToError } from './api-error.ts';
import { apiBase } from './call.ts';
import { announceSessionEnded } from './session-ended.ts';

export interface Upload<T> {
  /** Resolves with the parsed response; rejects with `ApiError` (`NETWORK`, `ABORTED`, or the server's code). */
  done: Promise<T>;
  abort(): void;
}

/**
 * Sends one file as multipart field `file`, reporting the share sent (0 to 1). XMLHttpRequest, because fetch can't
 * report the progress of a request.
 */
export function uploadFile<T>(path: string, file: File, onProgress: (share: number) => void): Upload<T> {
  const request = new XMLHttpRequest();
  const done = new Promise<T>((resolve, reject) => {
    request.open('POST', apiBase + path);
    request.setRequestHeader('Accept', 'application/json, application/problem+json');
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) {
        try {
          resolve(JSON.parse(request.responseText) as T);
        } catch (cause) {
          reject(new ApiError('UNREADABLE_ANSWER', request.status, { cause }));
        }
        return;
      }
      const error = problemToError(request.status, request.responseText, request.getResponseHeader('x-request-id'));
      if (error.code === 'NOT_SIGNED_IN') announceSessionEnded();
      reject(error);
    };
    request.onerror = () => reject(new ApiError('NETWORK', 0));
    request.ontimeout = () => reject(new ApiError('NETWORK', 0));
    request.onabort = () => reject(new ApiError('ABORTED', 0));
    const body = new FormData();
    body.append('file', file);
    request.send(body);
  });
  return { done, abort: () => request.abort() };
}
