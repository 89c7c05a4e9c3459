import type { AccountRequest } from '@pahatid/contract';
import { useState } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Bdi, Dash, DateTime } from '../../ui/data/text.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Note } from '../../ui/page/note.tsx';
import { Facts } from '../../ui/page/page.tsx';
import { ApproveRequest, RejectRequest } from './request-dialog.tsx';
import { RequestState, useRequestTexts } from './request-parts.tsx';

interface RequestDrawerProps {
  accountRequestId: string;
  /** What the list shows of it, if the page that is loaded has it: shown until its own read is there. */
  row: AccountRequest | undefined;
  onClose: () => void;
}

export function RequestDrawer({ accountRequestId, row, onClose }: RequestDrawerProps) {
  const t = useText();
  const read = useCall('GET /account-requests/:accountRequestId', { params: { accountRequestId } });
  const isGone = read.error?.code === 'NOT_FOUND';
  const request = isGone ? undefined : (read.data ?? row);
  if (request) return <OpenRequest request={request} onClose={onClose} />;
  return <LoadingDrawer width="narrow" title={t('shell.menu.accountRequests')} read={read} onClose={onClose} />;
}

function OpenRequest({ request, onClose }: { request: AccountRequest; onClose: () => void }) {
  const t = useText();
  const mayDecide = useMay('admin');
  const [deciding, setDeciding] = useState<'approve' | 'reject'>();
  const isOpen = request.state === 'pending' || request.state === 'unconfirmed';
  return (
    <Drawer
      width="narrow"
      title={<Bdi>{request.company}</Bdi>}
      state={<RequestState state={request.state} pill />}
      onClose={onClose}
      actions={
        isOpen && mayDecide ? (
          <>
            <Button variant="primary" onClick={() => setDeciding('approve')}>
              {t('customers.add')}
            </Button>
            <Button variant="danger" onClick={() => setDeciding('reject')}>
              {t('approvals.reject')}
            </Button>
          </>
        ) : (
          request.openedCustomerId && (
            <ButtonLink to="/customer" search={{ open: request.openedCustomerId }}>
              {t('customers.one')}
            </ButtonLink>
          )
        )
      }
    >
      {request.state === 'unconfirmed' && <Note>{t('customers.request.unconfirmed.text')}</Note>}
      {request.reason !== null && (
        <Note>
          <Bdi>{request.reason}</Bdi>
        </Note>
      )}
      <Facts items={useFacts(request)} />
      {request.message && (
        <p className="written-text" dir="auto">
          {request.message}
        </p>
      )}
      {deciding === 'approve' && <ApproveRequest request={request} onClose={() => setDeciding(undefined)} />}
      {deciding === 'reject' && <RejectRequest request={request} onClose={() => setDeciding(undefined)} />}
    </Drawer>
  );
}

function useFacts(request: AccountRequest) {
  const t = useText();
  const texts = useRequestTexts();
  const { phone, senderId, firstMessageDay, decideTime, decidedBy } = request;
  return [
    { key: 'name', label: t('enquiries.name'), value: <Bdi>{request.name}</Bdi> },
    { key: 'email', label: t('enquiries.email'), value: <bdi dir="ltr">{request.email}</bdi> },
    { key: 'phone', label: t('enquiries.phone'), value: phone ? <bdi dir="ltr">{phone}</bdi> : <Dash /> },
    { key: 'uses', label: t('customers.request.uses'), value: texts.uses(request) },
    { key: 'volume', label: t('customers.request.volume'), value: texts.volume(request) },
    { key: 'channels', label: t('customers.request.channels'), value: texts.channels(request) || <Dash /> },
    { key: 'senderId', label: t('tasks.senderId'), value: senderId ? <Bdi>{senderId}</Bdi> : <Dash /> },
    {
      key: 'first',
      label: t('customers.request.first'),
      value: firstMessageDay ? <bdi dir="ltr">{firstMessageDay}</bdi> : <Dash />,
    },
    { key: 'time', label: t('customers.request.time'), value: <DateTime value={request.requestTime} /> },
    ...(decideTime === null
      ? []
      : [
          {
            key: 'decided',
            label: t(`approvals.state.${request.state === 'approved' ? 'approved' : 'rejected'}`),
            value: (
              <>
                <DateTime value={decideTime} />
                {decidedBy !== null && (
                  <>
                    {' · '}
                    <Bdi>{decidedBy}</Bdi>
                  </>
                )}
              </>
            ),
          },
        ]),
  ];
}
