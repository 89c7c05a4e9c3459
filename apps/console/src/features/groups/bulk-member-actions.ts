import type { GroupMember } from '@pahatid/contract';
import { MessageSquareOff, UserMinus } from 'lucide-react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { formatPhone } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import type { BulkActions } from '../../ui/table/bulk-action.ts';

const toNumbers = (rows: readonly GroupMember[]) => rows.map(({ mobileNumber }) => mobileNumber);

/** What can be done with several members of a group. */
export function useBulkMemberActions(groupId: string): BulkActions<GroupMember> {
  const t = useText();
  const refresh = useRefresh();
  return {
    nameOf: (row) => formatPhone(row.mobileNumber),
    actions: [
      {
        key: 'optOut',
        label: t('optOuts.add'),
        icon: MessageSquareOff,
        danger: true,
        question: t('optOuts.fact'),
        isFor: ({ state }) => state !== 'optedOut',
        all: async (rows) => {
          const taken = await call('POST /opt-outs', { body: { mobileNumbers: toNumbers(rows) } });
          toast(t('optOuts.added', { added: taken.addedCount, kept: taken.keptCount }));
        },
        after: () => refresh('/groups', '/opt-outs'),
      },
      {
        key: 'remove',
        label: t('groups.member.out'),
        icon: UserMinus,
        danger: true,
        question: null,
        all: async (rows) => {
          const body = { mobileNumbers: toNumbers(rows) };
          await call('POST /groups/:groupId/members/remove', { params: { groupId }, body });
          toast(t('groups.member.removed'));
        },
        after: () => refresh('/groups'),
      },
    ],
  };
}
