import type { CallInput, MessagePreview } from '@pahatid/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call, callOnce } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { toastError } from '../../ui/feedback/toast-store.ts';

export type ReplyBody = NonNullable<CallInput<'POST /conversations/:conversationId/messages'>['body']>;

/** After the last letter. */
const quietMs = 400;

/** What the reply would be and cost; undefined until it is known, and while nothing is written. */
export function useReplyPreview(
  conversationId: string,
  body: ReplyBody | null,
): { preview: MessagePreview | undefined; error: unknown } {
  const written = body === null ? null : JSON.stringify(body);
  const [asked, setAsked] = useState(written);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(written), quietMs);
    return () => clearTimeout(timer);
  }, [written]);
  const { data, error } = useQuery({
    queryKey: ['reply preview', conversationId, asked],
    queryFn: () =>
      call('POST /conversations/:conversationId/messages/preview', {
        params: { conversationId },
        body: JSON.parse(asked ?? '{}') as ReplyBody,
      }),
    enabled: asked !== null,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return body === null ? { preview: undefined, error: null } : { preview: data, error };
}

const newKey = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('-');

/** Sends a reply once, however often it is pressed; resolves to whether it was accepted. */
export function useSendReply(conversationId: string): {
  busy: boolean;
  send: (body: ReplyBody) => Promise<boolean>;
} {
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const key = useRef('');
  const send = async (body: ReplyBody): Promise<boolean> => {
    if (key.current === '') key.current = newKey();
    setBusy(true);
    try {
      await callOnce(key.current)('POST /conversations/:conversationId/messages', { params: { conversationId }, body });
      key.current = '';
      await refresh('/conversations');
      return true;
    } catch (error) {
      // Without a response it may have been accepted: the same text keeps its key.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) key.current = '';
      toastError(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, send };
}
