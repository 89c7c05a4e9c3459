import { AuditStatus, type CallResult } from '@pahatid/contract';
import { countSegments, listUnicodeCharacters } from '@pahatid/domain';
import { memo, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { delayText, rejectionText } from '../../lib/i18n/rejection-text.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { MarkedText } from '../../ui/data/marked-text.tsx';
import { fillPreview, PhonePreview, SegmentMeter } from '../../ui/data/pictures.tsx';
import { DateTime, ShortId } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, Note, Section } from '../../ui/page/page.tsx';
import { auditStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { TemplateAudit } from './template-audit.tsx';
import { TemplateUsage } from './template-usage.tsx';
import './templates.css';

type TemplateDetail = CallResult<'GET /templates/:templateId'>;

interface TemplateDrawerProps {
  templateId: string;
  onEdit: () => void;
  onClose: () => void;
}

export function TemplateDrawer({ templateId, onEdit, onClose }: TemplateDrawerProps) {
  const t = useText();
  const detail = useCall('GET /templates/:templateId', { params: { templateId } });
  if (detail.data) return <OpenTemplate template={detail.data} onEdit={onEdit} onClose={onClose} />;
  return <LoadingDrawer title={t('templates.title')} read={detail} onClose={onClose} />;
}

function OpenTemplate({
  template,
  onEdit,
  onClose,
}: Omit<TemplateDrawerProps, 'templateId'> & { template: TemplateDetail }) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner', 'member');
  const [asking, setAsking] = useState(false);
  const sendable = template.servingVersion !== null;

  const remove = async () => {
    await call('DELETE /templates/:templateId', { params: { templateId: template.templateId } });
    toast(t('templates.deleted'));
    onClose();
    await refresh('/templates', '/overview');
  };

  return (
    <Drawer
      title={template.templateName}
      state={<TemplateAudit template={template} pill />}
      meta={
        <>
          <ShortId id={template.templateId} />
          <span>{t(`templates.type.${template.smsType}`)}</span>
          <span>{template.appName}</span>
        </>
      }
      onClose={onClose}
      actions={
        mayWrite && (
          <>
            {sendable && (
              <ButtonLink to="/bulkMessage/addMessage" search={{ templateId: template.templateId }}>
                {t('templates.send')}
              </ButtonLink>
            )}
            <Button onClick={onEdit}>{t('templates.edit.short')}</Button>
            <Button variant="danger" onClick={() => setAsking(true)}>
              {t('templates.delete')}
            </Button>
          </>
        )
      }
    >
      <TemplateNotes template={template} />
      <div className="templates-split">
        <div className="stack">
          <Facts
            items={[
              {
                key: 'variables',
                label: t('templates.variables.label'),
                value: t('templates.variables', { count: template.variableCount }),
              },
              { key: 'created', label: t('templates.createTime'), value: <DateTime value={template.createTime} /> },
              { key: 'updated', label: t('templates.updateTime'), value: <DateTime value={template.updateTime} /> },
            ]}
          />
          <TemplateUsage template={template} />
          <Section title={t('templates.versions')}>
            <Versions template={template} />
          </Section>
        </div>
        <TextPreview content={template.content} appId={template.appId} />
      </div>
      {asking && (
        <ConfirmDialog
          danger
          title={t('templates.delete.title', { name: template.templateName })}
          confirmLabel={t('templates.delete.confirm')}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {t('templates.delete.text')}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}

function TemplateNotes({ template }: { template: TemplateDetail }) {
  const t = useText();
  const formats = useFormats();
  const { locale } = useTexts();
  const serving = template.servingVersion !== null && template.servingVersion !== template.version;
  return (
    <>
      {template.auditStatus === AuditStatus.Rejected && (
        <Note tone="danger">
          <strong>{t('templates.reason')}</strong>{' '}
          <bdi>{rejectionText(template.auditCode, template.auditReason, t)}</bdi>
          {template.auditSpan && (
            <MarkedText text={template.content} marks={[{ ...template.auditSpan, tone: 'danger' }]} />
          )}
        </Note>
      )}
      {template.auditStatus === AuditStatus.Pending && template.expectedTime && (
        <Note tone="warning">
          {t('templates.review.note', { time: formats.date(template.expectedTime, 'short') })}{' '}
          {delayText(template.expectedDelay, locale, t)}
        </Note>
      )}
      {serving && <Note tone="info">{t('templates.serving', { version: template.servingVersion })}</Note>}
    </>
  );
}

/** A phone with the text and its size, variables as they are written. */
export const TextPreview = memo(function TextPreview({
  content,
  values = [],
  appId,
}: {
  content: string;
  /** Application whose sender ID is shown at the top. */
  appId: string | null;
  values?: readonly string[];
}) {
  const senders = useCall(
    'GET /senders',
    { query: { appId: appId ?? '', sendable: '1', limit: '1' } },
    { enabled: appId !== null, staleTime: 60_000 },
  );
  const parts = fillPreview(content, values);
  const text = parts.map((part) => (typeof part === 'string' ? part : part.variable)).join('');
  const size = countSegments(text);
  const forcedBy = [...new Set(listUnicodeCharacters(text).map(({ character }) => character))];
  return (
    <div className="templates-preview stack">
      <PhonePreview sender={senders.data?.items[0]?.senderId ?? 'SMS'} parts={parts} />
      <SegmentMeter
        encoding={size.encoding === 'UCS-2' ? 'ucs2' : 'gsm'}
        used={size.units}
        segments={size.segments}
        perSegment={size.perSegment}
        forcedBy={forcedBy}
      />
    </div>
  );
});

function Versions({ template }: { template: TemplateDetail }) {
  const t = useText();
  const formats = useFormats();
  return (
    <ol className="templates-versions">
      {template.versions.map((version) => (
        <li key={version.version}>
          <div className="row">
            <strong>{t('templates.version', { version: version.version })}</strong>
            <StatusTag {...auditStatusLooks[version.auditStatus]!}>
              {t(`templates.auditStatus.${version.auditStatus}`)}
            </StatusTag>
            {version.version === template.servingVersion && (
              <span className="tag">{t('templates.version.serving')}</span>
            )}
          </div>
          <div className="ink-2">
            <MarkedText
              text={version.content}
              marks={version.auditSpan ? [{ ...version.auditSpan, tone: 'danger' }] : []}
            />
          </div>
          {version.auditStatus === AuditStatus.Rejected && (
            <p className="small">
              {t('templates.reason')}: <bdi>{rejectionText(version.auditCode, version.auditReason, t)}</bdi>
            </p>
          )}
          <p className="tiny ink-3">
            {t('templates.version.by', { name: version.createdBy, time: formats.date(version.createTime) })}
          </p>
        </li>
      ))}
    </ol>
  );
}
