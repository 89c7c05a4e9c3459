import { AuditStatus, type Sender, UseState } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { regionName } from '../../lib/format/regions.ts';
import { delayText, rejectionText } from '../../lib/i18n/rejection-text.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Dash, DateTime } from '../../ui/data/text.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { Facts, Note } from '../../ui/page/page.tsx';
import { useStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { SenderAudit } from './sender-audit.tsx';
import { SenderCarriers } from './sender-carriers.tsx';
import './senders.css';

const parts = ['overview', 'carriers'] as const;
export type SenderPart = (typeof parts)[number];

interface SenderDrawerProps {
  id: string;
  /** What the list shows of it, if the page that is loaded has it: shown until its own read is there. */
  row: Sender | undefined;
  part: SenderPart;
  /** The carrier whose dossier is open first. */
  carrier?: string | undefined;
  onPart: (part: SenderPart) => void;
  onClose: () => void;
}

export function SenderDrawer({ id, row, ...rest }: SenderDrawerProps) {
  const { onClose } = rest;
  const t = useText();
  const read = useCall('GET /senders/:id', { params: { id } });
  const sender = read.data ?? row;
  if (sender) return <OpenSender sender={sender} {...rest} />;
  if (read.error?.code === 'NOT_FOUND')
    return (
      <Drawer width="narrow" title={t('senders.senderId')} onClose={onClose}>
        <Note tone="info">{t('error.NOT_FOUND')}</Note>
      </Drawer>
    );
  return <LoadingDrawer width="narrow" title={t('senders.senderId')} read={read} onClose={onClose} />;
}

function OpenSender({
  sender,
  part,
  carrier,
  onPart,
  onClose,
}: Omit<SenderDrawerProps, 'id' | 'row'> & { sender: Sender }) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner', 'member');
  const [asking, setAsking] = useState(false);
  const [DossiersTab] = useState(() => lazyPart(() => import('./dossiers-tab.tsx')));
  const enabled = sender.useState === UseState.Enabled;

  const change = async (act: 'enable' | 'disable') => {
    await call(`POST /senders/:id/${act}`, { params: { id: sender.id } });
    toast(t(act === 'enable' ? 'senders.enabled' : 'senders.disabled'));
    await refresh('/senders');
  };
  const enable = () => change('enable').catch(toastError);

  return (
    <Drawer
      width={part === 'carriers' ? 'wide' : 'narrow'}
      title={sender.senderId}
      state={<SenderAudit sender={sender} pill />}
      onClose={onClose}
      actions={
        mayWrite &&
        (enabled ? (
          <Button onClick={() => setAsking(true)}>{t('senders.disable')}</Button>
        ) : (
          <Button onClick={() => void enable()}>{t('senders.enable')}</Button>
        ))
      }
      tabs={
        <Tabs
          label={sender.senderId}
          items={parts.map((key) => ({ key, label: t(`dossiers.tab.${key}`) }))}
          value={part}
          onChange={onPart}
          panelId="sender-part"
        />
      }
    >
      <div id="sender-part" role="tabpanel" aria-label={t(`dossiers.tab.${part}`)} className="stack senders-part">
        {part === 'carriers' ? (
          <PartBoundary>
            <DossiersTab sender={sender} first={carrier} />
          </PartBoundary>
        ) : (
          <Overview sender={sender} />
        )}
      </div>
      {asking && (
        <ConfirmDialog
          danger
          title={t('senders.disable.title', { name: sender.senderId })}
          confirmLabel={t('senders.disable.confirm')}
          onConfirm={() => change('disable')}
          onClose={() => setAsking(false)}
        >
          {t('senders.disable.text')}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}

function Overview({ sender }: { sender: Sender }) {
  const t = useText();
  const formats = useFormats();
  const { locale } = useTexts();
  return (
    <>
      {sender.auditStatus === AuditStatus.Rejected && (
        <Note tone="danger">
          <strong>{t('senders.reason')}</strong> <bdi>{rejectionText(sender.auditCode, sender.auditReason, t)}</bdi>
        </Note>
      )}
      {sender.auditStatus === AuditStatus.Pending && sender.expectedTime && (
        <Note tone="warning">
          {[
            t('senders.expected', { time: formats.date(sender.expectedTime, 'short') }),
            delayText(sender.expectedDelay, locale, t),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Note>
      )}
      <Facts
        items={[
          { key: 'app', label: t('senders.application'), value: sender.appName },
          {
            key: 'area',
            label: t('senders.area'),
            value: t.maybe(`senders.area.${sender.areaCode}`) ?? regionName(locale, sender.areaCode),
          },
          {
            key: 'use',
            label: t('senders.useState'),
            value: (
              <StatusTag {...useStateLooks[sender.useState]!}>{t(`senders.useState.${sender.useState}`)}</StatusTag>
            ),
          },
          { key: 'remarks', label: t('senders.remarks'), value: sender.remarkInfo || <Dash /> },
          { key: 'operate', label: t('senders.operateTime'), value: <DateTime value={sender.operateTime} /> },
          { key: 'audit', label: t('senders.auditTime'), value: <DateTime value={sender.auditTime} /> },
        ]}
      />
      <SenderCarriers sender={sender} />
    </>
  );
}
