import type { ApplicationUsage as Usage } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Count, Dash, DateTime, Mono } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Facts, KpiStrip, Section } from '../../ui/page/page.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

const rereadMs = 15_000;

/** An application's recent sends, its refusals with reasons, and whether its messages reach the carriers. */
export function ApplicationUsage({ appId }: { appId: string }) {
  const t = useText();
  const { data, error, refetch } = useCall(
    'GET /applications/:appId/usage',
    { params: { appId } },
    { refetchInterval: rereadMs },
  );
  if (!data) return error ? <FailedState error={error} onRetry={() => void refetch()} /> : <SkeletonLines lines={5} />;
  return (
    <>
      <Section title={t('applications.section.usage')}>
        <Figures usage={data} />
      </Section>
      <Section title={t('applications.section.refusals')}>
        <Refusals usage={data} />
      </Section>
      {data.carriers.length > 0 && (
        <Section title={t('applications.section.carriers')}>
          <Facts
            items={data.carriers.map(({ carrier, isConnected }) => ({
              key: carrier,
              label: carrier,
              value: isConnected ? (
                <StatusTag glyph="done" tone="success">
                  {t('applications.carrier.1')}
                </StatusTag>
              ) : (
                <StatusTag glyph="dots" tone="warning">
                  {t('applications.carrier.0')}
                </StatusTag>
              ),
            }))}
          />
        </Section>
      )}
    </>
  );
}

function Figures({ usage }: { usage: Usage }) {
  const t = useText();
  const formats = useFormats();
  const share = (part: number, whole: number) => (whole > 0 ? formats.percent(part / whole) : <Dash />);
  return (
    <KpiStrip
      label={t('applications.section.usage')}
      items={[
        {
          key: 'requests',
          label: t('applications.usage.requests'),
          value: formats.number(usage.requestCount),
          note:
            usage.lastTime === null
              ? t('applications.usage.never')
              : t('applications.usage.last', { time: formats.relative(usage.lastTime) }),
        },
        {
          key: 'accepted',
          label: t('applications.usage.accepted'),
          value: share(usage.acceptedCount, usage.acceptedCount + usage.refusedCount),
          note: formats.number(usage.acceptedCount),
        },
        {
          key: 'delivered',
          label: t('applications.usage.delivered'),
          value: share(usage.deliveredCount, usage.acceptedCount),
          note: t('applications.usage.deliveredNote'),
        },
        {
          key: 'charged',
          label: t('applications.usage.charged'),
          value: formats.money(usage.charged),
          note: t('applications.usage.segments', { count: usage.segments }),
        },
      ]}
    />
  );
}

function Refusals({ usage }: { usage: Usage }) {
  const t = useText();
  const rows = [
    ...usage.refusals.map((one) => ({
      key: `door ${one.code}`,
      kind: t('applications.refusals.door'),
      label: t.maybe(`applications.refused.${one.code}`),
      code: one.code,
      count: one.count,
      lastTime: one.lastTime,
      from: one.lastIp,
    })),
    ...usage.failures.map((one) => ({
      key: `message ${one.dealResult}`,
      kind: t('applications.refusals.message'),
      label: t.maybe(`deal.${one.dealResult}`),
      code: one.dealResult,
      count: one.count,
      lastTime: one.lastTime,
      from: null,
    })),
  ].toSorted((a, b) => b.lastTime.localeCompare(a.lastTime));
  if (rows.length === 0) return <p className="ink-3">{t('applications.refusals.none')}</p>;
  return (
    <table className="plain-table is-stacked">
      <caption className="visually-hidden">{t('applications.section.refusals')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('applications.refusals.what')}</th>
          <th scope="col" className="align-end">
            {t('applications.refusals.count')}
          </th>
          <th scope="col">{t('applications.refusals.last')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, kind, label, code, count, lastTime, from }) => (
          <tr key={key}>
            <td data-label={t('applications.refusals.what')}>
              <span>
                {label ?? <Mono>{code}</Mono>}
                <span className="cell-note">{kind}</span>
              </span>
            </td>
            <td className="align-end" data-label={t('applications.refusals.count')}>
              <Count value={count} />
            </td>
            <td data-label={t('applications.refusals.last')}>
              <span>
                <DateTime value={lastTime} style="short" />
                {from !== null && (
                  <span className="cell-note">
                    {t.rich('applications.refusals.from', { ip: <bdi key="ip">{from}</bdi> })}
                  </span>
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
