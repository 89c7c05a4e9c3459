import { AuditStatus, type ReviewItem } from '@pahatid/contract';
import { BookX, CalendarClock, ShieldAlert } from 'lucide-react';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { RelativeTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { auditStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { useBulkReviewActions } from './bulk-review-actions.ts';
import { HolidaysDrawer } from './holidays-drawer.tsx';
import { ReviewClock } from './review-clock.tsx';
import { ReviewDrawer } from './review-drawer.tsx';
import { ReviewKeys } from './review-keys.tsx';
import { SafetyDrawer } from './safety-drawer.tsx';
import { TermsDrawer } from './terms-drawer.tsx';

const kinds = ['template', 'sender', 'task', 'link'] as const;
/** Decided by the second: new items come while one reads. */
const refetchMs = 10_000;

export default function ReviewScreen() {
  const t = useText();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['kind', 'auditStatus'],
    ['open', 'hours', 'terms', 'safety'],
    { byCustomer: true, list: 'GET /reviews' },
  );
  const list = useCall('GET /reviews', { query }, { keepPrevious: true, refetchInterval: refetchMs });
  const items = list.data?.items ?? [];
  const at = items.findIndex((item) => item.id === view.open);
  // A link may open one that is not on the page shown, or was decided since.
  const one = useCall(
    'GET /reviews',
    { query: { id: view.open, auditStatus: Object.values(AuditStatus).join(','), limit: 1 } },
    { enabled: view.open !== undefined && list.data !== undefined && at === -1 },
  );
  const open = view.open === undefined ? undefined : (items[at] ?? one.data?.items[0]);
  const show = (item: ReviewItem | undefined) => setView({ open: item?.id }, { replace: true });

  const columns: Column<ReviewItem>[] = [
    {
      key: 'title',
      title: t('review.item'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <>
          <bdi>{row.title}</bdi>
          <span className="cell-note">{t(`review.kind.${row.kind}`)}</span>
        </>
      ),
    },
    {
      key: 'auditStatus',
      title: t('review.state'),
      card: 'state',
      cell: (row) => (
        <StatusTag
          {...auditStatusLooks[row.auditStatus]!}
          {...(row.claim && {
            note: row.claim.isMine ? t('review.claimed.mine') : t('review.claimed', { name: row.claim.name }),
          })}
        >
          {t(`review.state.${row.auditStatus}`)}
        </StatusTag>
      ),
    },
    { key: 'operator', title: t('review.customer'), cell: (row) => <bdi>{row.operator}</bdi> },
    { key: 'content', title: t('review.text'), long: true, card: 'body', cell: (row) => <bdi>{row.content}</bdi> },
    { key: 'submitTime', title: t('review.submitted'), cell: (row) => <RelativeTime value={row.submitTime} /> },
    { key: 'expectedTime', title: t('review.due'), cell: (row) => <ReviewClock item={row} brief /> },
  ];

  return (
    <Page>
      <PageHeader
        title={t('review.title')}
        fact={t('review.fact')}
        actions={
          <>
            <Button icon={ShieldAlert} onClick={() => setView({ safety: '1' })}>
              {t('review.safety')}
            </Button>
            <Button icon={BookX} onClick={() => setView({ terms: '1' })}>
              {t('review.terms')}
            </Button>
            <Button icon={CalendarClock} onClick={() => setView({ hours: '1' })}>
              {t('review.hours')}
            </Button>
          </>
        }
      />
      <ResourceTable
        filters={
          <FilterBar onClear={filtered ? clear : undefined}>
            <ChoiceFilter
              label={t('review.kind')}
              options={kinds.map((kind) => ({ value: kind, label: t(`review.kind.${kind}`) }))}
              value={view.kind}
              onChange={(kind) => narrow({ kind })}
            />
            <ChoiceFilter
              multiple
              label={t('review.state')}
              options={Object.values(AuditStatus).map((n) => ({ value: String(n), label: t(`review.state.${n}`) }))}
              value={view.auditStatus}
              onChange={(auditStatus) => narrow({ auditStatus })}
            />
          </FilterBar>
        }
        name="review"
        label={t('review.title')}
        columns={columns}
        rowKey={(row) => row.id}
        list={list}
        order={order}
        bulk={useBulkReviewActions()}
        onOpen={(row) => setView({ open: row.id })}
        openKey={view.open}
        noPeek
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        empty={<EmptyState title={t('review.empty.title')}>{t('review.empty.text')}</EmptyState>}
      />
      {open && (
        <ReviewDrawer
          key={open.id}
          item={open}
          onNext={() => show(items[at + 1])}
          onPrevious={() => at > 0 && show(items[at - 1])}
          onDecided={() => show(nextFree(items, at))}
          onClose={() => setView({ open: undefined })}
        />
      )}
      {view.hours && <HolidaysDrawer onClose={() => setView({ hours: undefined })} />}
      {view.safety && <SafetyDrawer onClose={() => setView({ safety: undefined })} />}
      {view.terms && <TermsDrawer onClose={() => setView({ terms: undefined })} />}
      <ReviewKeys />
    </Page>
  );
}

/**
 * Returns the item to open after a decision: the next waiting one that no other reviewer has open, else the previous
 * one.
 */
function nextFree(items: readonly ReviewItem[], at: number): ReviewItem | undefined {
  const isFree = (item: ReviewItem): boolean =>
    item.auditStatus === AuditStatus.Pending && (item.claim === null || item.claim.isMine);
  return items.slice(at + 1).find(isFree) ?? items.slice(0, at).reverse().find(isFree);
}
