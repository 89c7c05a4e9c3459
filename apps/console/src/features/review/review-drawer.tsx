import { AuditStatus, type ReviewItem } from '@pahatid/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { findingMarks, findingText } from '../../lib/i18n/finding-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { MarkedText } from '../../ui/data/marked-text.tsx';
import { RemarkList } from '../../ui/data/remark-list.tsx';
import { Count, DateTime, Money, Mono, ShortId } from '../../ui/data/text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Facts, Note, Section } from '../../ui/page/page.tsx';
import { auditStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { diffWords } from './word-diff.ts';
import './review.css';

interface ReviewDrawerProps {
  item: ReviewItem;
  onNext: () => void;
  onPrevious: () => void;
  /** After a decision, by whomever: the next one opens by itself. */
  onDecided: () => void;
  onClose: () => void;
}

export function ReviewDrawer({ item, onNext, onPrevious, onDecided, onClose }: ReviewDrawerProps) {
  const t = useText();
  const refresh = useRefresh();
  const [rejecting, setRejecting] = useState(false);
  const [busy, setBusy] = useState(false);
  const pending = item.auditStatus === AuditStatus.Pending;
  const params = { kind: `${item.kind}s` as const, id: item.id };
  const version = item.version === null ? {} : { version: item.version };

  /** One decision; that somebody was faster is told and treated like a decision. */
  const decide = async (act: () => Promise<unknown>, done: string) => {
    try {
      await act();
      toast(done);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'ALREADY_REVIEWED')) throw error;
      toastError(error);
    }
    setRejecting(false);
    onDecided();
    await refresh('/reviews', '/overview');
  };

  const approve = async () => {
    if (busy || !pending) return;
    setBusy(true);
    const act = () => call('POST /reviews/:kind/:id/approve', { params, body: version });
    await decide(act, t('review.approved', { name: item.title })).catch(toastError);
    setBusy(false);
  };
  const reject = (reason: string) =>
    decide(
      () => call('POST /reviews/:kind/:id/reject', { params, body: { reason, ...version } }),
      t('review.rejected', { name: item.title }),
    );

  useReviewKeys(!rejecting, {
    a: () => void approve(),
    r: () => pending && setRejecting(true),
    j: onNext,
    k: onPrevious,
  });

  return (
    <Drawer
      title={item.title}
      state={
        <StatusTag {...auditStatusLooks[item.auditStatus]!} pill>
          {t(`review.state.${item.auditStatus}`)}
        </StatusTag>
      }
      meta={
        <>
          <span>{t(`review.kind.${item.kind}`)}</span>
          <ShortId id={item.id} />
          <span>{item.operator}</span>
        </>
      }
      onClose={onClose}
      actions={
        pending && (
          <>
            <Button variant="danger" onClick={() => setRejecting(true)}>
              {t('review.reject')}
            </Button>
            <Button variant="primary" loading={busy} onClick={() => void approve()}>
              {t('review.approve')}
            </Button>
          </>
        )
      }
    >
      {item.auditReason && (
        <Note tone="danger">
          <strong>{t('review.reason')}</strong> <bdi>{item.auditReason}</bdi>
        </Note>
      )}
      {item.content !== null && <ReviewText item={item} content={item.content} />}
      <ReviewFacts item={item} />
      <p className="tiny ink-3">{t('review.keys')}</p>
      {rejecting && <RejectDialog name={item.title} onReject={reject} onClose={() => setRejecting(false)} />}
    </Drawer>
  );
}

function ReviewText({ item, content }: { item: ReviewItem; content: string }) {
  const t = useText();
  return (
    <>
      <Section title={t('review.text')}>
        <div className="review-text">
          <MarkedText text={content} marks={findingMarks(item.findings)} />
        </div>
      </Section>
      {item.previousContent !== null && item.previousContent !== content && (
        <Section title={t('review.compare')}>
          <div className="review-text">
            <p dir="auto">
              {diffWords(item.previousContent, content).map(({ kind, text }, index) => {
                const Tag = ({ same: 'span', added: 'ins', dropped: 'del' } as const)[kind];
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one fixed text.
                return <Tag key={index}>{text}</Tag>;
              })}
            </p>
          </div>
        </Section>
      )}
      <Section title={t('review.findings')}>
        <RemarkList
          label={t('review.findings')}
          remarks={
            item.findings.length === 0
              ? [{ key: 'ok', tone: 'success', text: t('review.findings.none') }]
              : item.findings.map((finding) => ({
                  key: `${finding.code} ${finding.from}`,
                  tone: finding.severity === 'error' ? 'danger' : 'warning',
                  text: <bdi>{findingText(finding, t)}</bdi>,
                }))
          }
        />
      </Section>
    </>
  );
}

function ReviewFacts({ item }: { item: ReviewItem }) {
  const t = useText();
  const facts = [
    { key: 'customer', label: t('review.customer'), value: <bdi>{item.operator}</bdi> },
    { key: 'app', label: t('review.application'), value: <bdi>{item.appName}</bdi> },
    item.smsType && { key: 'type', label: t('review.type'), value: t(`review.type.${item.smsType}`) },
    item.senderId && { key: 'sender', label: t('review.senderId'), value: <Mono>{item.senderId}</Mono> },
    item.version !== null && { key: 'version', label: t('review.version'), value: <Count value={item.version} /> },
    item.totalCount !== null && {
      key: 'count',
      label: t('review.recipients'),
      value: <Count value={item.totalCount} />,
    },
    item.estimatedCost !== null && {
      key: 'cost',
      label: t('review.cost'),
      value: <Money value={item.estimatedCost} />,
    },
    { key: 'by', label: t('review.submittedBy'), value: item.submittedBy },
    { key: 'at', label: t('review.submitted'), value: <DateTime value={item.submitTime} /> },
    { key: 'due', label: t('review.due'), value: <DateTime value={item.expectedTime} style="short" /> },
  ];
  return <Facts items={facts.filter((fact) => typeof fact === 'object' && fact !== null)} />;
}

/** Single keys, while nobody types and no key of the system is held. */
function useReviewKeys(active: boolean, keys: Record<string, () => unknown>) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input, textarea, select')) return;
    keys[event.key.toLowerCase()]?.();
  });
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [active]);
}
