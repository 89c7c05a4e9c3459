import type { LinkClick, ShortLink } from '@pahatid/contract';
import { useState } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { makeListOrder } from '../../lib/router/list-order.ts';
import { Dash, DateTime, PhoneNumber } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Section } from '../../ui/page/page.tsx';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';

const looks: Record<string, StatusLook> = {
  human: { glyph: 'done', tone: 'success' },
  head: { glyph: 'bar', tone: 'neutral' },
  scanner: { glyph: 'bar', tone: 'neutral' },
  early: { glyph: 'clock', tone: 'neutral' },
  waiting: { glyph: 'dots', tone: 'primary' },
};

/** Single clicks, the latest first. */
export function ClickList({ link }: { link: ShortLink }) {
  const t = useText();
  const [by, setBy] = useState<'all' | 'human'>('all');
  const [cursor, setCursor] = useState<string>();
  const [chosenSort, setSort] = useState<string>();
  const { order, sort } = makeListOrder('GET /short-links/:linkId/clicks', chosenSort, (next) => {
    setSort(next);
    setCursor(undefined);
  });
  const params = { linkId: link.linkId };
  const query = { by, cursor, sort };
  const list = useCall('GET /short-links/:linkId/clicks', { params, query }, { keepPrevious: true });

  const columns: Column<LinkClick>[] = [
    {
      key: 'clickTime',
      title: t('shortLinks.time'),
      fixed: true,
      card: 'title',
      cell: (row) => <DateTime value={row.clickTime} style="short" />,
    },
    {
      key: 'verdict',
      title: t('shortLinks.verdict'),
      card: 'state',
      cell: (row) => {
        const verdict = row.verdict ?? 'waiting';
        return <StatusTag {...looks[verdict]!}>{t(`shortLinks.verdict.${verdict}`)}</StatusTag>;
      },
    },
    ...(link.mode === 'perRecipient'
      ? [
          {
            key: 'mobileNumber',
            title: t('shortLinks.mobileNumber'),
            cell: (row: LinkClick) => (row.mobileNumber === null ? <Dash /> : <PhoneNumber value={row.mobileNumber} />),
          },
          {
            key: 'taskName',
            title: t('shortLinks.by.taskId'),
            long: true,
            cell: (row: LinkClick) => (row.taskName === null ? <Dash /> : <bdi>{row.taskName}</bdi>),
          },
          {
            key: 'carrier',
            title: t('shortLinks.by.carrier'),
            hidden: true,
            cell: (row: LinkClick) => row.carrier ?? <Dash />,
          },
        ]
      : []),
    {
      key: 'os',
      title: t('shortLinks.by.os'),
      cell: (row) =>
        [row.os, row.browser].every((each) => each === 'other')
          ? t('shortLinks.part.other')
          : [row.os, row.browser].filter((each) => each !== 'other').join(' · '),
    },
  ];

  return (
    <Section
      title={t('shortLinks.clicks')}
      aside={
        <Segmented
          label={t('shortLinks.clicks.by')}
          value={by}
          onChange={(next) => {
            setBy(next);
            setCursor(undefined);
          }}
          options={[
            { value: 'all', label: t('shortLinks.clicks.all') },
            { value: 'human', label: t('shortLinks.clicks.human') },
          ]}
        />
      }
    >
      <ResourceTable
        name="linkClicks"
        label={t('shortLinks.clicks.table')}
        columns={columns}
        rowKey={(row) => row.clickId}
        list={list}
        order={order}
        cursor={cursor}
        onCursor={setCursor}
        onExport={() =>
          exportCsv('GET /short-links/:linkId/clicks', { params, query: { by, sort } }, 'short-link-clicks.csv')
        }
        empty={<EmptyState title={t('shortLinks.noClicks.title')}>{t('shortLinks.noClicks.text')}</EmptyState>}
      />
    </Section>
  );
}
