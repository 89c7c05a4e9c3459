import type { Traffic } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../lib/api/session.ts';
import { useBindErrorText } from '../../lib/format/bind-error-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Mono } from '../../ui/data/text.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { TablePanel } from './table-panel.tsx';

type Bind = Traffic['binds'][number];

/** How well each carrier is reached, and how much of its pace is used. */
export function BindsPanel({ binds }: { binds: Traffic['binds'] }) {
  const t = useText();
  const { number } = useFormats();
  const mayRoute = useMay('operator', 'admin');
  return (
    <TablePanel
      title={t('overview.binds')}
      heads={[
        { key: 'account', label: t('overview.supplier') },
        { key: 'state', label: t('overview.bindState') },
        { key: 'rate', label: t('overview.bind.rate'), end: true },
      ]}
      empty={t('overview.binds.none')}
      rows={binds.map((bind) => ({
        key: bind.supplierId,
        head: (
          <>
            {mayRoute ? (
              <Link to="/routing" search={{ tab: 'suppliers', open: bind.supplierId }}>
                <Mono>{bind.supplierAccount}</Mono>
              </Link>
            ) : (
              <Mono>{bind.supplierAccount}</Mono>
            )}
            <span className="overview-note">{bind.carrier ?? t('overview.carrier.any')}</span>
          </>
        ),
        cells: [
          <BindState key="state" bind={bind} />,
          <bdi key="rate" dir="ltr" className="num">
            {number(bind.rate)} / {number(bind.tps)}
          </bdi>,
        ],
      }))}
    />
  );
}

function BindState({ bind: { bound, wanted, lastError } }: { bind: Bind }) {
  const t = useText();
  const { number } = useFormats();
  const errorText = useBindErrorText();
  const counts = { bound: number(bound), wanted: number(wanted) };
  const note = lastError ? { note: <span title={lastError}>{errorText(lastError)}</span> } : {};
  if (bound >= wanted)
    return (
      <StatusTag glyph="tick" tone="primary" {...note}>
        {t('overview.bind.up', counts)}
      </StatusTag>
    );
  return bound > 0 ? (
    <StatusTag glyph="low" tone="warning" {...note}>
      {t('overview.bind.some', counts)}
    </StatusTag>
  ) : (
    <StatusTag glyph="failed" tone="danger" {...note}>
      {t('overview.bind.down', counts)}
    </StatusTag>
  );
}
