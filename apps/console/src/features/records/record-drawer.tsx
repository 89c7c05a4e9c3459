import { type CallResult, ClientStatus, type SendRecordDetail } from '@pahatid/contract';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Explained } from '../../ui/data/explain.tsx';
import { PhonePreview, Timeline, type TimelineEntry } from '../../ui/data/pictures.tsx';
import { CopyText, Count, Dash, DateTime, formatPhone, Money, Mono } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Facts, Note, Section } from '../../ui/page/page.tsx';
import { clientStatusLooks } from '../../ui/status/looks.ts';
import type { StatusLook } from '../../ui/status/status-tag.tsx';
import { callbackSteps } from './callback-steps.tsx';
import { RecordStatus } from './record-columns.tsx';
import './records.css';
import { SamePhone } from './same-phone.tsx';

/** While a message has no receipt, the drawer refreshes automatically. */
const refetchMs = 5_000;

type Unmasked = CallResult<'POST /records/:messageId/unmask'>;

interface RecordDrawerProps {
  messageId: string;
  /** It was sent with a test key. */
  isTest: boolean;
  onClose: () => void;
}

/** Staff see the number masked until they ask for it, which is on record. */
export function RecordDrawer({ messageId, isTest, onClose }: RecordDrawerProps) {
  const t = useText();
  const asked = { params: { messageId }, query: isTest ? { test: '1' as const } : {} };
  const detail = useCall('GET /records/:messageId', asked, { refetchInterval: refetchMs });
  const isStaff = useSession().user.kind === 'staff';
  const [shown, setShown] = useState<Unmasked | null>(null);
  const record = detail.data && { ...detail.data, ...shown };
  const isErased = record?.phoneAddress === '';
  const unmask = async () => {
    setShown(await call('POST /records/:messageId/unmask', { params: { messageId } }));
    toast(t('records.unmasked'));
  };
  return (
    <Drawer
      title={record && !isErased ? <bdi dir="ltr">{formatPhone(record.phoneAddress)}</bdi> : t('records.title')}
      state={record && <RecordStatus record={record} t={t} pill />}
      meta={<CopyText text={messageId} label={t('records.id')} />}
      actions={
        record && (
          <>
            {isStaff && !isErased && shown === null && (
              <Button icon={Eye} onClick={() => void unmask().catch(toastError)}>
                {t('records.unmask')}
              </Button>
            )}
            {record.taskId && (
              <ButtonLink to="/bulkMessage" search={{ open: record.taskId }}>
                {t('records.openTask')}
              </ButtonLink>
            )}
          </>
        )
      }
      onClose={onClose}
    >
      {isErased && <Note>{t('records.erased.text')}</Note>}
      {record && <OpenRecord record={record} isTest={isTest} />}
      {!record && detail.error && <FailedState error={detail.error} onRetry={() => void detail.refetch()} />}
      {!record && !detail.error && (
        <Delayed>
          <SkeletonLines />
        </Delayed>
      )}
    </Drawer>
  );
}

function OpenRecord({ record, isTest }: { record: SendRecordDetail; isTest: boolean }) {
  const t = useText();
  const hasLog = useSession().user.kind === 'customer';
  return (
    <div className="stack records-whole">
      <div className="records-split">
        <Section title={t('records.life')}>
          <Timeline
            entries={[...stepsToCome(record, t), ...callbackSteps(record, t, hasLog), ...stepsSoFar(record, t)]}
          />
        </Section>
        <PhonePreview sender={record.clientSid} parts={[record.fullMessage]} at={record.clientRequestTime} />
      </div>
      <Section title={t('records.facts')}>
        <RecordFacts record={record} />
      </Section>
      {!isTest && <SamePhone record={record} />}
    </div>
  );
}

function stepsSoFar(record: SendRecordDetail, t: Text): TimelineEntry[] {
  return record.life
    .map((step, index) => ({
      key: `${step.step} ${index}`,
      look: lookOf(step.step, record),
      title: titleOf(step.step, record, t),
      note: <StepNote code={step.code} time={step.time} before={record.life[index - 1]?.time} />,
      time: <DateTime value={step.time} style="stamp" />,
    }))
    .toReversed();
}

/** The carrier's own code, and how long it took since the step before. */
function StepNote({ code, time, before }: { code: string | null; time: string; before: string | undefined }) {
  const formats = useFormats();
  const tookMs = before === undefined ? null : Date.parse(time) - Date.parse(before);
  const took =
    tookMs !== null && tookMs >= 0 && tookMs < longMs
      ? formats.number(tookMs / 1_000, {
          style: 'unit',
          unit: 'second',
          unitDisplay: 'narrow',
          signDisplay: 'always',
          maximumFractionDigits: 2,
        })
      : null;
  if (code === null && took === null) return null;
  return (
    <>
      {code !== null && <Mono>{code}</Mono>}
      {code !== null && took !== null && ' · '}
      {took}
    </>
  );
}

/** Future steps, in grey above the past ones. */
function stepsToCome(record: SendRecordDetail, t: Text): TimelineEntry[] {
  if (record.clientStatus !== ClientStatus.Accepted && record.clientStatus !== ClientStatus.Submitted) return [];
  const done = new Set(record.life.map(({ step }) => step));
  const open = way.slice(Math.max(...way.map((step, index) => (done.has(step) ? index + 1 : 0))));
  return open
    .filter((step) => step !== 'unconfirmed' && !done.has(step))
    .map((step) => ({
      key: step,
      look: { glyph: 'dashed' as const, tone: 'neutral' as const },
      title: <span className="ink-3">{t(`records.step.${step}`)}</span>,
      time: <Dash />,
    }))
    .toReversed();
}

type Step = SendRecordDetail['life'][number]['step'];

/** Of a message that nothing stops. */
const way = ['accepted', 'submitted', 'answered', 'unconfirmed', 'receipt'] as const satisfies readonly Step[];
/** A longer step is shown by its time alone. */
const longMs = 600_000;

const stepLooks: Record<Exclude<Step, 'receipt'>, StatusLook> = {
  accepted: { glyph: 'line', tone: 'neutral' },
  submitted: { glyph: 'half', tone: 'primary' },
  answered: { glyph: 'tick', tone: 'primary' },
  unconfirmed: { glyph: 'dots', tone: 'warning' },
  blocked: { glyph: 'bar', tone: 'neutral' },
};

const refusedStatus = 2;

function lookOf(step: Step, record: SendRecordDetail): StatusLook {
  if (step === 'receipt') return clientStatusLooks[record.clientStatus]!;
  if (step === 'answered' && record.sendStatus === refusedStatus) return { glyph: 'cross', tone: 'danger' };
  return stepLooks[step];
}

/** The last step also contains the result as text. */
function titleOf(step: Step, record: SendRecordDetail, t: Text) {
  const hasResult =
    step === 'receipt' || step === 'blocked' || (step === 'answered' && record.sendStatus === refusedStatus);
  const result = hasResult ? t.maybe(`deal.${record.dealResult}`) : null;
  return (
    <>
      {t(`records.step.${step}`)}
      {result && <span className="cell-note">{result}</span>}
    </>
  );
}

function RecordFacts({ record }: { record: SendRecordDetail }) {
  const t = useText();
  const { locale } = useTexts();
  const isStaff = useSession().user.kind === 'staff';
  const staffFacts = [
    { key: 'operator', label: t('records.customer'), value: <bdi>{record.operator}</bdi> },
    { key: 'supplier', label: t('records.supplier'), value: <Mono>{record.supplierAccount}</Mono> },
    { key: 'route', label: t('records.route'), value: <Mono>{record.routeId}</Mono> },
  ];
  return (
    <div className="records-facts">
      <Facts
        items={[
          {
            key: 'result',
            label: t('records.result'),
            value: t.maybe(`deal.${record.dealResult}`) ?? record.dealResult,
          },
          { key: 'task', label: t('records.taskName'), value: <bdi>{record.taskName ?? t('records.noTask')}</bdi> },
          ...(record.templateName === null
            ? []
            : [{ key: 'template', label: t('tasks.template'), value: <bdi>{record.templateName}</bdi> }]),
          { key: 'app', label: t('records.application'), value: <Mono>{record.appId}</Mono> },
          { key: 'type', label: t('records.type'), value: t(`records.type.${record.smsType}`) },
          { key: 'country', label: t('records.country'), value: regionName(locale, record.areaCode) },
        ]}
      />
      <Facts
        items={[
          { key: 'carrier', label: t('records.carrier'), value: record.carrier ?? t('records.carrier.none') },
          {
            key: 'holder',
            label: <Explained term={t('records.rangeHolder')} text={t('shell.explain.rangeHolder')} />,
            value: record.rangeHolder ?? t('records.carrier.none'),
          },
          {
            key: 'segments',
            label: <Explained term={t('records.segments')} text={t('shell.explain.segment')} />,
            value: <Count value={record.pkgTotal} />,
          },
          { key: 'price', label: t('records.price'), value: <Money value={record.price} /> },
          {
            key: 'charge',
            label: t('records.charged'),
            value: (
              <>
                <Money value={record.chargedCost} />{' '}
                <span className="ink-3">{t(`records.chargeType.${record.chargeType}`)}</span>
              </>
            ),
          },
          ...(isStaff ? staffFacts : []),
        ]}
      />
    </div>
  );
}
