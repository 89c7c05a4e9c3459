import { AuditStatus, type ReviewItem } from '@pahatid/contract';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { findingMarks, findingText } from '../../lib/i18n/finding-text.ts';
import { rejectionText } from '../../lib/i18n/rejection-text.ts';
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
import { RejectDialog, type Rejection } from './reject-dialog.tsx';
import { ReviewClock } from './review-clock.tsx';
import { ReviewContext } from './review-context.tsx';
import { ReviewKeys } from './review-keys.tsx';
import { useClaim } from './use-claim.ts';
import { useReviewKeys } from './use-review-keys.ts';
import { diffWords } from './word-diff.ts';
import './review.css';

interface ReviewDrawerProps {
  item: ReviewItem;
  onNext: () => void;
  onPrevious: () => void;
  /** Called after a decision by any reviewer: the next item opens automatically. */
  onDecided: () => void;
  onClose: () => void;
}

export function ReviewDrawer({ item, onNext, onPrevious, onDecided, onClose }: ReviewDrawerProps) {
  const t = useText();
  const refresh = useRefresh();
  const [rejecting, setRejecting] = useState(false);
  const [busy, setBusy] = useState(false);
  const claim = useClaim(item);
  const pending = item.auditStatus === AuditStatus.Pending;
  const mayDecide = pending && claim.heldBy === null;
  const params = { kind: `${item.kind}s` as const, id: item.id };
  const version = item.version === null ? {} : { version: item.version };

  /** Runs one decision; if another reviewer was faster, this is reported and treated like a decision. */
  const decide = async (act: () => Promise<unknown>, done: string) => {
    try {
      await claim.decide(act);
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
    if (busy || !mayDecide) return;
    setBusy(true);
    const act = () => call('POST /reviews/:kind/:id/approve', { params, body: version });
    await decide(act, t('review.approved', { name: item.title })).catch(toastError);
    setBusy(false);
  };
  const reject = (rejection: Rejection) =>
    decide(
      () => call('POST /reviews/:kind/:id/reject', { params, body: { ...rejection, ...version } }),
      t('review.rejected', { name: item.title }),
    );

  useReviewKeys(!rejecting, {
    a: () => void approve(),
    r: () => mayDecide && setRejecting(true),
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
        mayDecide && (
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
      {pending && claim.heldBy !== null && (
        <Note tone="warning">{t('review.claimed.note', { name: claim.heldBy })}</Note>
      )}
      {item.auditStatus === AuditStatus.Rejected && (
        <Note tone="danger">
          <strong>{t('review.reason')}</strong> <bdi>{rejectionText(item.auditCode, item.auditReason, t)}</bdi>
        </Note>
      )}
      {item.content !== null && <ReviewText item={item} content={item.content} />}
      <ReviewFacts item={item} />
      <ReviewContext item={item} />
      <ReviewKeys />
      {rejecting && <RejectDialog item={item} onReject={reject} onClose={() => setRejecting(false)} />}
    </Drawer>
  );
}

const textTitles = {
  template: 'review.text',
  task: 'review.text',
  sender: 'review.text.remarks',
  link: 'shortLinks.targetUrl',
} as const;

function ReviewText({ item, content }: { item: ReviewItem; content: string }) {
  const t = useText();
  // A decided item marks the place that the decision was about; a waiting one, all findings of the rules.
  const marks =
    item.auditSpan === null ? findingMarks(item.findings) : [{ ...item.auditSpan, tone: 'danger' as const }];
  return (
    <>
      <Section title={t(textTitles[item.kind])}>
        <div className="review-text">
          <MarkedText text={content} marks={marks} />
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
      {item.kind !== 'sender' && (
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
      )}
    </>
  );
}

function ReviewFacts({ item }: { item: ReviewItem }) {
  const t = useText();
  const facts = [
    { key: 'due', label: t('review.due'), value: <ReviewClock item={item} /> },
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
  ];
  return <Facts items={facts.filter((fact) => typeof fact === 'object' && fact !== null)} />;
}
