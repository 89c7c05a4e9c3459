import { type AssignedNumber, UseState } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Dash, DateTime } from '../../ui/data/text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, Note } from '../../ui/page/page.tsx';
import { useStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

export function NumberDrawer({ numberId, onClose }: { numberId: string; onClose: () => void }) {
  const t = useText();
  const read = useCall('GET /numbers/:numberId', { params: { numberId } });
  if (read.data) return <OpenNumber number={read.data} onClose={onClose} />;
  return <LoadingDrawer width="narrow" title={t('senders.number')} read={read} onClose={onClose} />;
}

function OpenNumber({ number, onClose }: { number: AssignedNumber; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const mayAssign = useMay('operator', 'admin');
  const [asking, setAsking] = useState<'disable' | 'withdraw' | null>(null);
  const params = { customerId: number.customerId ?? '', numberId: number.numberId };
  const enabled = number.useState === UseState.Enabled;

  const change = async (action: 'enable' | 'disable') => {
    await call(`POST /customers/:customerId/numbers/:numberId/${action}`, { params });
    toast(t(`senders.number.${action}d`));
    await refresh('/numbers');
  };
  const withdraw = async () => {
    await call('DELETE /customers/:customerId/numbers/:numberId', { params });
    toast(t('senders.number.withdrawn'));
    await refresh('/numbers');
    onClose();
  };

  return (
    <Drawer
      width="narrow"
      title={number.number}
      state={
        <StatusTag {...useStateLooks[number.useState]!} pill>
          {t(`senders.useState.${number.useState}`)}
        </StatusTag>
      }
      onClose={onClose}
      actions={
        mayAssign && (
          <>
            {enabled ? (
              <Button onClick={() => setAsking('disable')}>{t('senders.disable')}</Button>
            ) : (
              <Button onClick={() => void change('enable').catch(toastError)}>{t('senders.enable')}</Button>
            )}
            <Button variant="danger" onClick={() => setAsking('withdraw')}>
              {t('senders.number.withdraw')}
            </Button>
          </>
        )
      }
    >
      <Note tone="info">{t('senders.number.note')}</Note>
      <Facts
        items={[
          { key: 'kind', label: t('senders.number.kind'), value: t(`senders.number.kind.${number.kind}`) },
          { key: 'app', label: t('senders.application'), value: number.appName },
          ...(number.operator === undefined
            ? []
            : [{ key: 'operator', label: t('senders.operator'), value: number.operator }]),
          { key: 'remarks', label: t('senders.remarks'), value: number.remarkInfo || <Dash /> },
          { key: 'assigned', label: t('senders.number.assignTime'), value: <DateTime value={number.assignTime} /> },
        ]}
      />
      {asking && (
        <ConfirmDialog
          danger
          title={t(`senders.number.${asking}.title`, { number: number.number })}
          confirmLabel={t(asking === 'disable' ? 'senders.disable' : 'senders.number.withdraw')}
          onConfirm={() => (asking === 'disable' ? change('disable') : withdraw())}
          onClose={() => setAsking(null)}
        >
          {t(`senders.number.${asking}.text`)}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
