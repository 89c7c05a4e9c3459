import type { ApiCallDetail } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { BodyText } from '../../ui/data/body-text.tsx';
import { CopyButton, CopyText, DateTime, Mono } from '../../ui/data/text.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, Section } from '../../ui/page/page.tsx';
import { CallStatus } from './call-status.tsx';

interface CallDrawerProps {
  callId: string;
  customerId: string | undefined;
  onClose: () => void;
}

/** One call: who made it, its result, and its bodies if they were recorded. */
export function CallDrawer({ callId, customerId, onClose }: CallDrawerProps) {
  const t = useText();
  const read = useCall('GET /calls/:callId', { params: { callId }, query: { customerId } });
  const row = read.data;
  if (!row) return <LoadingDrawer title={t('developer.calls.title')} read={read} onClose={onClose} />;
  return (
    <Drawer
      title={<bdi dir="ltr">{`${row.method} ${row.path}`}</bdi>}
      state={<CallStatus call={row} pill />}
      meta={<DateTime value={row.time} style="stamp" />}
      onClose={onClose}
    >
      <CallFacts row={row} />
      <CallBody title={t('callbacks.body')} text={row.requestBody} />
      <CallBody title={t('callbacks.response')} text={row.responseBody} />
    </Drawer>
  );
}

function CallFacts({ row }: { row: ApiCallDetail }) {
  const t = useText();
  return (
    <Facts
      items={[
        {
          key: 'request',
          label: t('ui.requestId'),
          value: <CopyText text={row.requestId} label={t('ui.requestId')} />,
        },
        ...(row.errorCode === null
          ? []
          : [{ key: 'error', label: t('developer.errors.code'), value: <ErrorLink code={row.errorCode} /> }]),
        { key: 'duration', label: t('developer.calls.duration'), value: t('callbacks.ms', { ms: row.durationMs }) },
        {
          key: 'key',
          label: t('audit.type.key'),
          value: (
            <>
              <bdi>{row.keyName ?? t('applications.secret.app')}</bdi>
              {row.prefix !== null && (
                <span className="cell-note">
                  <Mono>{`${row.prefix}…`}</Mono>
                  {row.mode === 'test' && ` · ${t('developer.key.test')}`}
                </span>
              )}
            </>
          ),
        },
        {
          key: 'app',
          label: t('senders.application'),
          value: (
            <>
              <bdi>{row.appName}</bdi>
              <span className="cell-note">
                <Mono>{row.appId}</Mono>
              </span>
            </>
          ),
        },
        { key: 'ip', label: 'IP', value: <Mono>{row.ip}</Mono> },
      ]}
    />
  );
}

const ErrorLink = ({ code }: { code: string }) => (
  <a href={`/docs/errors/${code}`} target="_blank" rel="noreferrer">
    <code>{code}</code>
  </a>
);

function CallBody({ title, text }: { title: string; text: string | null }) {
  if (text === null) return null;
  return (
    <Section title={title} aside={<CopyButton text={text} />}>
      <BodyText text={text} isPretty />
    </Section>
  );
}
