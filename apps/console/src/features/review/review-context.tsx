import type { ReviewContext as Context, ReviewItem } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Count, DateTime, Mono, PhoneNumber } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Facts, Note, Section } from '../../ui/page/page.tsx';
import { linkStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** Rows of the file, and the customer before. */
export function ReviewContext({ item }: { item: ReviewItem }) {
  const t = useText();
  const read = useCall('GET /reviews/:kind/:id', { params: { kind: `${item.kind}s`, id: item.id } });
  if (read.error && !read.data) return <FailedState error={read.error} onRetry={() => void read.refetch()} />;
  if (!read.data)
    return (
      <Delayed>
        <SkeletonLines lines={4} />
      </Delayed>
    );
  const { links, sample, history } = read.data;
  return (
    <>
      {links.length > 0 && <Links item={item} links={links} />}
      {item.kind === 'task' && (
        <Section title={t('review.sample')}>
          {sample === null ? <p className="small ink-3">{t('review.sample.gone')}</p> : <Sample sample={sample} />}
        </Section>
      )}
      <Section title={t('review.history')}>
        <Facts
          items={[
            {
              key: 'approved',
              label: t('review.history.approved'),
              value: <Count value={history.approvedCount} />,
            },
            {
              key: 'rejected',
              label: t('review.history.rejected'),
              value: <Count value={history.rejectedCount} />,
            },
            ...(history.lastRejectedTime === null
              ? []
              : [
                  {
                    key: 'last',
                    label: t('review.history.last'),
                    value: <DateTime value={history.lastRejectedTime} style="date" />,
                  },
                ]),
            {
              key: 'first',
              label: t('review.history.first'),
              value: t(`review.history.first.${history.isFirstTask ? 'yes' : 'no'}`),
            },
            {
              key: 'since',
              label: t('review.history.since'),
              value: <DateTime value={history.since} style="date" />,
            },
          ]}
        />
      </Section>
    </>
  );
}

/** Each link leads to its own review: a template is approved after them. */
function Links({ item, links }: { item: ReviewItem; links: Context['links'] }) {
  const t = useText();
  const mustWait = item.kind === 'template' && links.some(({ linkState }) => linkState === 'pending');
  return (
    <Section title={t('review.links')}>
      {mustWait && <Note tone="warning">{t('review.links.first')}</Note>}
      <Facts
        items={links.map(({ linkId, linkName, targetUrl, linkState }) => ({
          key: linkId,
          label: (
            <Link to="/review" search={{ open: linkId }}>
              <bdi>{linkName}</bdi>
            </Link>
          ),
          value: (
            <span className="review-link">
              <Mono>{targetUrl}</Mono>
              <StatusTag {...linkStateLooks[linkState]}>
                {t(
                  linkState === 'blocked'
                    ? 'shortLinks.linkState.blocked.byStaff'
                    : `shortLinks.linkState.${linkState}`,
                )}
              </StatusTag>
            </span>
          ),
        }))}
      />
    </Section>
  );
}

function Sample({ sample }: { sample: NonNullable<Context['sample']> }) {
  const t = useText();
  return (
    <>
      <p className="small ink-2">{t('review.sample.fact', { name: sample.fileName, count: sample.validCount })}</p>
      {sample.rows.length === 0 ? (
        <p className="small ink-3">{t('review.sample.none')}</p>
      ) : (
        <table className="plain-table review-sample">
          <caption className="visually-hidden">{t('review.sample')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('review.sample.phone')}</th>
              <th scope="col">{t('review.sample.text')}</th>
            </tr>
          </thead>
          <tbody>
            {sample.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of one fixed sample; masked numbers repeat.
              <tr key={index}>
                <td>
                  <PhoneNumber value={row.mobileNumber} />
                </td>
                <td>
                  <bdi>{row.text}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
