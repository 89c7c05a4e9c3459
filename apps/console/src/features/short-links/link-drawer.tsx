import type { ShortLink } from '@pahatid/contract';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CopyText, Count, Dash, DateTime, Mono } from '../../ui/data/text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, KpiStrip, Note, Section } from '../../ui/page/page.tsx';
import { BlockLink } from './block-link.tsx';
import { ClickList } from './click-list.tsx';
import { LinkForm } from './link-form.tsx';
import { LinkReview } from './link-review.tsx';
import { LinkState } from './link-state.tsx';

interface LinkDrawerProps {
  linkId: string;
  onClose: () => void;
  /** Shows the statistics of this link alone. */
  onStatistics: (linkId: string) => void;
}

export function LinkDrawer({ linkId, onClose, onStatistics }: LinkDrawerProps) {
  const t = useText();
  const read = useCall('GET /short-links/:linkId', { params: { linkId } });
  const [editing, setEditing] = useState(false);
  if (!read.data) return <LoadingDrawer title={t('shortLinks.one')} read={read} onClose={onClose} />;
  if (editing) return <LinkForm link={read.data} onClose={() => setEditing(false)} />;
  return (
    <OpenLink
      link={read.data}
      onClose={onClose}
      onEdit={() => setEditing(true)}
      onStatistics={() => onStatistics(linkId)}
    />
  );
}

interface OpenLinkProps {
  link: ShortLink;
  onClose: () => void;
  onEdit: () => void;
  onStatistics: () => void;
}

function OpenLink({ link, onClose, onEdit, onStatistics }: OpenLinkProps) {
  const t = useText();
  const formats = useFormats();
  const refresh = useRefresh();
  const mayWrite = useMay('owner', 'member');
  const isStaff = useSession().user.kind === 'staff';
  const [asking, setAsking] = useState<'disable' | 'delete' | 'block' | null>(null);
  const { linkId, version } = link;
  const isPersonal = link.mode === 'perRecipient';

  const setUse = async (useState: 0 | 1) => {
    await call('PATCH /short-links/:linkId', { params: { linkId }, body: { version, useState } });
    toast(t(useState === 1 ? 'shortLinks.enabled' : 'shortLinks.disabled'));
    await refresh('/short-links');
  };
  const unblock = async () => {
    await call('DELETE /blocked-links/:linkId', { params: { linkId } });
    toast(t('shortLinks.unblock.did'));
    await refresh('/short-links');
  };
  const remove = async () => {
    await call('DELETE /short-links/:linkId', { params: { linkId } });
    toast(t('shortLinks.deleted'));
    onClose();
    await refresh('/short-links');
  };

  return (
    <Drawer
      title={<bdi>{link.linkName}</bdi>}
      state={<LinkState link={link} pill />}
      onClose={onClose}
      meta={
        <>
          <span>{t(`shortLinks.mode.${link.mode}`)}</span>
          {link.appName !== null && <bdi>{link.appName}</bdi>}
        </>
      }
      actions={
        isStaff ? (
          link.blockedReason === null ? (
            <Button variant="danger" onClick={() => setAsking('block')}>
              {t('shortLinks.block')}
            </Button>
          ) : (
            <Button onClick={() => void unblock().catch(toastError)}>{t('shortLinks.unblock')}</Button>
          )
        ) : (
          mayWrite && (
            <>
              <Button onClick={onEdit}>{t('shortLinks.edit')}</Button>
              {link.useState === 1 ? (
                <Button onClick={() => setAsking('disable')}>{t('shortLinks.disable')}</Button>
              ) : (
                <Button onClick={() => void setUse(1).catch(toastError)}>{t('shortLinks.enable')}</Button>
              )}
              <Button variant="danger" onClick={() => setAsking('delete')}>
                {t('shortLinks.delete')}
              </Button>
            </>
          )
        )
      }
    >
      <div className="stack short-links-open">
        <LinkReview link={link} />
        {asking === 'block' && <BlockLink link={link} onClose={() => setAsking(null)} />}
        <KpiStrip
          label={t('shortLinks.totals')}
          items={[
            {
              key: 'human',
              label: t('shortLinks.humanCount'),
              value: formats.number(link.humanCount),
              note:
                link.clickCount > 0 &&
                t('shortLinks.note.ofClicks', { share: formats.percent(link.humanCount / link.clickCount) }),
            },
            ...(isPersonal
              ? [
                  { key: 'people', label: t('shortLinks.recipientCount'), value: formats.number(link.recipientCount) },
                  {
                    key: 'rate',
                    label: t('shortLinks.clickRate'),
                    value: link.clickRate === null ? '–' : formats.percent(link.clickRate),
                    note: t('shortLinks.note.delivered', { count: link.deliveredCount }),
                  },
                ]
              : [{ key: 'robots', label: t('shortLinks.robotCount'), value: formats.number(link.robotCount) }]),
            {
              key: 'last',
              label: t('shortLinks.lastClickTime'),
              isText: true,
              value: link.lastClickTime === null ? '–' : formats.relative(link.lastClickTime),
              note:
                link.firstClickTime !== null &&
                t('shortLinks.note.firstClick', { time: formats.date(link.firstClickTime, 'short') }),
            },
          ]}
        />
        <Section
          title={t('shortLinks.about')}
          aside={
            <Button variant="link" icon={ChartColumn} onClick={onStatistics}>
              {t('shortLinks.showStatistics')}
            </Button>
          }
        >
          {isPersonal && <Note tone="info">{t('shortLinks.personal')}</Note>}
          <Facts
            items={[
              { key: 'short', label: t('shortLinks.shortUrl'), value: <CopyText text={link.shortUrl} /> },
              { key: 'target', label: t('shortLinks.targetUrl'), value: <Mono>{link.targetUrl}</Mono> },
              {
                key: 'fallback',
                label: t('shortLinks.fallbackUrl'),
                value: link.fallbackUrl === null ? t('shortLinks.fallback.page') : <Mono>{link.fallbackUrl}</Mono>,
              },
              { key: 'template', label: t('shortLinks.template'), value: link.templateName ?? <Dash /> },
              {
                key: 'robots',
                label: t('shortLinks.robotCount'),
                value: (
                  <>
                    <Count value={link.robotCount} />
                    <span className="cell-note">
                      {t('shortLinks.note.robots', {
                        head: link.headCount,
                        scanner: link.scannerCount,
                        early: link.earlyCount,
                      })}
                    </span>
                  </>
                ),
              },
              { key: 'tasks', label: t('shortLinks.taskCount'), value: formats.number(link.taskCount) },
              { key: 'expires', label: t('shortLinks.expireTime'), value: <DateTime value={link.expireTime} /> },
              { key: 'made', label: t('shortLinks.createTime'), value: <DateTime value={link.createTime} /> },
              { key: 'by', label: t('shortLinks.createdBy'), value: link.createdBy ?? <Dash /> },
            ]}
          />
        </Section>
        <ClickList link={link} />
      </div>
      {asking === 'disable' && (
        <ConfirmDialog
          title={t('shortLinks.disable.title', { name: link.linkName })}
          confirmLabel={t('shortLinks.disable')}
          onConfirm={() => setUse(0)}
          onClose={() => setAsking(null)}
        >
          {t('shortLinks.disable.text')}
        </ConfirmDialog>
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          danger
          title={t('shortLinks.delete.title', { name: link.linkName })}
          confirmLabel={t('shortLinks.delete')}
          onConfirm={remove}
          onClose={() => setAsking(null)}
        >
          {t('shortLinks.delete.text')}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
