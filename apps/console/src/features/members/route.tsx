import { UserPlus } from 'lucide-react';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { InvitationsList } from './invitations-list.tsx';
import { InviteMember } from './invite-member.tsx';
import { MembersList } from './members-list.tsx';
import './members.css';

const panelId = 'members-panel';

export default function MembersScreen() {
  const t = useText();
  const { customer } = useSession();
  const isOwner = useMay('owner');
  const [{ customerId }] = useSearchParams(['customerId']);
  const [view, setView] = useSearchParams(['tab', 'new', 'cursor', 'search', 'role']);
  const tab = view.tab === 'invitations' ? 'invitations' : 'members';
  const waiting = useCall('GET /invitations', { query: { customerId } });
  const count = waiting.data?.items.length ?? 0;
  const invite = isOwner && (
    <Button variant="primary" icon={UserPlus} onClick={() => setView({ new: '1' })}>
      {t('members.invite')}
    </Button>
  );
  const go = (next: 'members' | 'invitations') =>
    setView({ tab: next === 'members' ? undefined : next, cursor: undefined, search: undefined, role: undefined });
  return (
    <Page>
      <PageHeader
        title={t('members.title')}
        fact={customer && t('members.fact', { name: customer.customerName })}
        actions={invite}
      />
      <Tabs
        inline
        label={t('members.tabs')}
        panelId={panelId}
        items={[
          { key: 'members', label: t('members.tab.members') },
          { key: 'invitations', label: t('members.tab.invitations'), ...(count > 0 && { count }) },
        ]}
        value={tab}
        onChange={go}
      />
      <div role="tabpanel" id={panelId} className="members-panel">
        {tab === 'members' ? (
          <MembersList action={invite} />
        ) : (
          <InvitationsList cursor={view.cursor} onCursor={(cursor) => setView({ cursor })} action={invite} />
        )}
      </div>
      {view.new && isOwner && (
        <InviteMember
          onDone={() => setView({ new: undefined, tab: 'invitations', cursor: undefined })}
          onClose={() => setView({ new: undefined })}
        />
      )}
    </Page>
  );
}
