import { type ExportJob, exportKeptHours } from '@pahatid/contract';
import { Download, FileDown, Trash2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { apiBase, call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Mono } from '../../ui/data/text.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { PaneStrip } from '../../ui/panes/panes.tsx';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';

/** Polling interval while an export is in progress. */
const pollMs = 2_000;

const isOpen = ({ state }: ExportJob): boolean => state === 'waiting' || state === 'running';

/** The user's exports, and those of software; reports when a running one of the user's is ready. */
export function useExports() {
  const t = useText();
  const [polls, setPolls] = useState(false);
  const list = useCall('GET /exports', undefined, { refetchInterval: polls ? pollMs : false });
  const items = list.data?.items;
  const before = useRef(new Map<string, ExportJob['state']>());
  useEffect(() => {
    if (!items) return;
    setPolls(items.some(isOpen));
    for (const { exportId, state, appId } of items) {
      if (appId !== null) continue;
      const was = before.current.get(exportId);
      if ((was === 'waiting' || was === 'running') && state === 'ready') toast(t('records.exports.ready'));
      if ((was === 'waiting' || was === 'running') && state === 'failed') toast(t('records.exports.failed'), 'danger');
    }
    before.current = new Map(items.map(({ exportId, state }) => [exportId, state]));
  }, [items, t]);
  return { list, items: items ?? [], openCount: (items ?? []).filter(isOpen).length };
}

type Exports = ReturnType<typeof useExports>;

/** Shown next to the title once there is an export: how many are in progress, and access to the files. */
export function ExportsButton({ exports: { items, openCount }, onOpen }: { exports: Exports; onOpen: () => void }) {
  const t = useText();
  if (items.length === 0) return null;
  return (
    <Button icon={FileDown} aria-haspopup="dialog" onClick={onOpen}>
      {t('records.exports')}
      {openCount > 0 && (
        <span className="records-exports-count" role="status">
          <i className="live-dot" aria-hidden="true" />
          {t('records.exports.open', { count: openCount })}
        </span>
      )}
    </Button>
  );
}

export function ExportsDialog({ exports: { list, items }, onClose }: { exports: Exports; onClose: () => void }) {
  const t = useText();
  const { data, error } = list;
  return (
    <Dialog title={t('records.exports')} width="wide" onClose={onClose}>
      <p className="small ink-2">{t('records.exports.fact', { days: exportKeptHours / 24 })}</p>
      {data ? (
        items.length === 0 ? (
          <EmptyState title={t('records.exports.none')}>{t('records.exports.none.text')}</EmptyState>
        ) : (
          <ul className="records-exports">
            {items.map((item) => (
              <li key={item.exportId}>
                <ExportLine item={item} />
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <FailedState error={error} onRetry={() => void list.refetch()} />
      ) : (
        <Delayed>
          <SkeletonLines />
        </Delayed>
      )}
    </Dialog>
  );
}

const looks: Record<ExportJob['state'], StatusLook> = {
  waiting: { glyph: 'dots', tone: 'neutral' },
  running: { glyph: 'half', tone: 'primary' },
  ready: { glyph: 'done', tone: 'success' },
  failed: { glyph: 'failed', tone: 'danger' },
  cancelled: { glyph: 'bar', tone: 'neutral' },
  expired: { glyph: 'clock', tone: 'neutral' },
};

function ExportLine({ item }: { item: ExportJob }) {
  const t = useText();
  const formats = useFormats();
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toastError(error);
    } finally {
      await refresh('/exports');
      setBusy(false);
    }
  };
  const params = { exportId: item.exportId };
  const name = formats.date(item.createTime, 'short');
  return (
    <div className="records-export">
      <div className="records-export-facts">
        <div className="row">
          <span className="medium num">{t('records.exports.of', { time: name })}</span>
          <StatusTag {...looks[item.state]}>{t(`records.exports.state.${item.state}`)}</StatusTag>
          {item.appId !== null && (
            <span className="tiny ink-2">
              {t('senders.application')} <Mono>{item.appId}</Mono>
            </span>
          )}
        </div>
        {item.state === 'running' && (
          <PaneStrip
            parts={[{ kind: 'done', count: item.percent }]}
            total={100}
            label={t('records.exports.progress', { percent: formats.percent(item.percent / 100) })}
          />
        )}
        <p className="tiny ink-2 num">{noteOf(item, t, formats)}</p>
      </div>
      <div className="row">
        {isOpen(item) && (
          <Button
            size="small"
            icon={X}
            loading={busy}
            aria-label={t('records.exports.cancel.of', { time: name })}
            onClick={() => void act(() => call('POST /exports/:exportId/cancel', { params }))}
          >
            {t('ui.cancel')}
          </Button>
        )}
        {item.state === 'ready' && (
          <a
            className="button is-small is-primary"
            href={`${apiBase}/exports/${item.exportId}/file`}
            download
            aria-label={t('records.exports.download.of', { time: name })}
          >
            <Icon of={Download} size="small" />
            {t('records.exports.download')}
          </a>
        )}
        {!isOpen(item) && (
          <Button
            variant="quiet"
            size="small"
            icon={Trash2}
            loading={busy}
            aria-label={t('records.exports.delete.of', { time: name })}
            title={t('records.exports.delete')}
            onClick={() => void act(() => call('DELETE /exports/:exportId', { params }))}
          />
        )}
      </div>
    </div>
  );
}

function noteOf(item: ExportJob, t: Text, formats: ReturnType<typeof useFormats>): string {
  const rows = t('records.exports.rows', { count: item.rowCount, shown: formats.number(item.rowCount) });
  switch (item.state) {
    case 'waiting':
      return t('records.exports.waiting.note');
    case 'running':
      return item.rowCount === 0
        ? t('records.exports.progress', { percent: formats.percent(item.percent / 100, 0) })
        : rows;
    case 'ready':
      return [
        rows,
        formats.bytes(item.byteCount),
        ...(item.expireTime === null
          ? []
          : [t('records.exports.until', { time: formats.date(item.expireTime, 'short') })]),
      ].join(' · ');
    case 'failed':
      return t('records.exports.failed.note');
    case 'cancelled':
      return t('records.exports.cancelled.note');
    case 'expired':
      return t('records.exports.expired.note');
  }
}
