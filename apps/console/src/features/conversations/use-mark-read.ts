import type { Conversation, ConversationEntry } from '@pahatid/contract';
import { useEffect, useEffectEvent } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';

/** Marks replies as read up to the newest that is shown. A failure is repeated with the next reply or visit. */
export function useMarkRead(
  conversation: Conversation | undefined,
  entries: readonly ConversationEntry[] | undefined,
): void {
  const mayRead = useMay('owner', 'member');
  const refresh = useRefresh();
  const newest = entries?.find((entry) => entry.kind === 'reply')?.inboundId;
  const isUnread = conversation !== undefined && conversation.unread > 0;
  const mark = useEffectEvent(async (inboundId: string) => {
    if (conversation === undefined) return;
    const { conversationId } = conversation;
    try {
      await call('POST /conversations/:conversationId/read', { params: { conversationId }, body: { inboundId } });
      await refresh('/conversations', '/overview/waiting');
    } catch {
      // It stays unread, as the list shows.
    }
  });
  useEffect(() => {
    if (mayRead && isUnread && newest !== undefined) void mark(newest);
  }, [mayRead, isUnread, newest]);
}
