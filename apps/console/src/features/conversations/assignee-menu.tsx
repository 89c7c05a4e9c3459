import type { Conversation } from '@pahatid/contract';
import { ChevronDown, UserRound } from 'lucide-react';
import { call } from '../../lib/api/call.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';

/** Who answers the phone; owners and members choose. */
export function AssigneeMenu({ conversation }: { conversation: Conversation }) {
  const t = useText();
  const { user } = useSession();
  const mayAssign = useMay('owner', 'member');
  const { assignee } = conversation;
  const name =
    assignee === null
      ? t('conversations.unassigned')
      : assignee.userId === user.userId
        ? t('conversations.you')
        : assignee.name;
  if (!mayAssign)
    return (
      <p className="small ink-2 clip">
        <span className="visually-hidden">{t('conversations.assignee')}: </span>
        {name}
      </p>
    );
  return (
    <Popover
      align="end"
      label={t('conversations.assignee')}
      button={{
        label: <bdi className="clip">{name}</bdi>,
        'aria-label': `${t('conversations.assignee')}: ${name}`,
        icon: UserRound,
        trailingIcon: ChevronDown,
        className: 'conversation-assign',
      }}
    >
      {(close) => <Choices conversation={conversation} onDone={close} />}
    </Popover>
  );
}

function Choices({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const t = useText();
  const { user } = useSession();
  const refresh = useRefresh();
  const list = useCall('GET /conversation-assignees', {}, { staleTime: 60_000 });
  const { conversationId, assignee } = conversation;
  const assign = async (assigneeId: string | null) => {
    onDone();
    try {
      await call('PATCH /conversations/:conversationId', { params: { conversationId }, body: { assigneeId } });
    } catch (error) {
      toastError(error);
    }
    await refresh('/conversations');
  };
  if (list.error) return <FailedState error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonLines lines={3} />;
  const mine = list.data.assignees.filter(({ userId }) => userId === user.userId);
  const others = list.data.assignees.filter(({ userId }) => userId !== user.userId);
  return (
    <>
      {[...mine, ...others].map(({ userId, name }) => (
        <MenuItem key={userId} chosen={assignee?.userId === userId} onClick={() => void assign(userId)}>
          {userId === user.userId ? t('conversations.you') : <bdi>{name}</bdi>}
        </MenuItem>
      ))}
      <MenuItem chosen={assignee === null} onClick={() => void assign(null)}>
        {t('conversations.unassigned')}
      </MenuItem>
    </>
  );
}
