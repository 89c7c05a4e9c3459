import type { CallInput, File as StoredFile } from '@pahatid/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { type Upload, uploadFile } from '../api/upload.ts';
import { callQuery, useCall } from '../api/use-call.ts';

const pollMs = 700;
/** Specification §5. The server checks the content, whatever the name says. */
const allowedNames = /\.(csv|xlsx?)$/i;

type FileReading = NonNullable<CallInput<'POST /files/:fileId/read'>['body']>;

/** A file being uploaded to the server. */
export interface Sending {
  file: File;
  /** 0 to 1. */
  share: number;
  /** Set if it did not arrive; the file is retained for a retry. */
  error: ApiError | null;
}

export interface PhoneFile {
  /** The upload in progress, or failed. */
  sending: Sending | null;
  /** In progress, and not failed. */
  uploading: boolean;
  /** The file that the task uses; its counts move while it is read. */
  stored: StoredFile | undefined;
  storedError: ApiError | null;
  choose: (file: File) => void;
  retry: () => void;
  /** Breaks the upload off, or puts its failure away. */
  abort: () => void;
  read: (reading: FileReading) => Promise<void>;
  /** Reads another sheet of the workbook: its columns are detected again, and the selection is cleared. */
  readSheet: (sheetName: string) => Promise<void>;
}

/** Uploading the phones: refused, broken off, tried again and replaced without touching the rest of the form. */
export function usePhoneFile(fileId: string | null, onStored: (fileId: string) => void): PhoneFile {
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending | null>(null);
  const upload = useRef<Upload<{ fileId: string }> | null>(null);
  const input = { params: { fileId: fileId ?? '' } };
  const { data, error } = useCall('GET /files/:fileId', input, { enabled: fileId !== null });
  const processing = fileId !== null && data?.fileStatus === 'processing';
  // The same read once more, for its interval: it depends on what the read itself brings.
  useCall('GET /files/:fileId', input, { enabled: processing, refetchInterval: processing && pollMs });

  useEffect(() => () => upload.current?.abort(), []);

  const send = (file: File) => {
    upload.current?.abort();
    setSending({ file, share: 0, error: null });
    const started = uploadFile<{ fileId: string }>('/files', file, (share) =>
      setSending((now) => (now?.file === file ? { ...now, share } : now)),
    );
    upload.current = started;
    started.done.then(
      (answer) => {
        if (upload.current !== started) return;
        upload.current = null;
        setSending(null);
        onStored(answer.fileId);
      },
      (failure: unknown) => {
        if (upload.current !== started) return;
        upload.current = null;
        const problem = failure instanceof ApiError ? failure : new ApiError('NETWORK', 0, { cause: failure });
        setSending(problem.code === 'ABORTED' ? null : { file, share: 0, error: problem });
      },
    );
  };

  const read = async (reading: FileReading) => {
    if (fileId === null) return;
    const file = await call('POST /files/:fileId/read', { params: { fileId }, body: reading });
    // The same id has other rows from now on.
    client.removeQueries({ queryKey: ['GET /tasks/estimate'] });
    client.removeQueries({ queryKey: ['GET /files/:fileId/rows'] });
    client.setQueryData(callQuery('GET /files/:fileId', input).queryKey, file);
  };

  return {
    sending,
    uploading: sending !== null && sending.error === null,
    stored: fileId === null ? undefined : data,
    storedError: fileId === null ? null : error,
    choose(file) {
      if (allowedNames.test(file.name)) send(file);
      else setSending({ file, share: 0, error: new ApiError('FILE_EXTENSION', 0) });
    },
    retry() {
      if (sending) send(sending.file);
    },
    abort() {
      const started = upload.current;
      upload.current = null;
      started?.abort();
      setSending(null);
    },
    read,
    async readSheet(sheetName) {
      await read({ sheetName });
      if (fileId !== null) onStored(fileId);
    },
  };
}
