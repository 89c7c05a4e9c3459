import { type ApplicationDetail, UseState } from '@pahatid/contract';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, CopyText, DateTime, Mono } from '../../ui/data/text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, Section } from '../../ui/page/page.tsx';
import { useStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ApplicationBinds } from './application-binds.tsx';
import { ApplicationForm } from './application-form.tsx';
import { ApplicationSecrets } from './application-secrets.tsx';
import { ApplicationTrial } from './application-trial.tsx';
import { ApplicationUsage } from './application-usage.tsx';
import type { ShownSecrets } from './shown-secrets-dialog.tsx';
import type { TracePart } from './trace-part.ts';
import { validForLines } from './valid-for-fields.tsx';

/** The callbacks part, rendered by the screen that combines the features. */
export type CallbacksPart = (application: ApplicationDetail, mayWrite: boolean) => ReactNode;

interface ApplicationDrawerProps {
  appId: string;
  callbacks: CallbacksPart;
  trace: TracePart;
  onSecrets: (secrets: ShownSecrets) => void;
  onClose: () => void;
}

export function ApplicationDrawer({ appId, ...rest }: ApplicationDrawerProps) {
  const t = useText();
  const detail = useCall('GET /applications/:appId', { params: { appId } }, { refetchInterval: 15_000 });
  if (detail.data) return <OpenApplication application={detail.data} {...rest} />;
  return <LoadingDrawer title={t('applications.section.info')} read={detail} onClose={rest.onClose} />;
}

interface OpenApplicationProps extends Omit<ApplicationDrawerProps, 'appId'> {
  application: ApplicationDetail;
}

function OpenApplication({ application, callbacks, trace, onSecrets, onClose }: OpenApplicationProps) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner');
  const [doing, setDoing] = useState<'edit' | 'disable' | null>(null);
  const enabled = application.useState === UseState.Enabled;

  const change = async (act: 'enable' | 'disable') => {
    await call(`POST /applications/:appId/${act}`, { params: { appId: application.appId } });
    toast(t(act === 'enable' ? 'applications.enabled' : 'applications.disabled'));
    await refresh('/applications');
  };

  return (
    <Drawer
      title={application.appName}
      state={
        <StatusTag {...useStateLooks[application.useState]!} pill>
          {t(`applications.state.${application.useState}`)}
        </StatusTag>
      }
      meta={<CopyText text={application.appId} label={t('applications.appId')} />}
      onClose={onClose}
      actions={
        mayWrite && (
          <>
            <Button onClick={() => setDoing('edit')}>{t('applications.edit.short')}</Button>
            {enabled ? (
              <Button variant="danger" onClick={() => setDoing('disable')}>
                {t('applications.disable')}
              </Button>
            ) : (
              <Button onClick={() => void change('enable').catch(toastError)}>{t('applications.enable')}</Button>
            )}
          </>
        )
      }
    >
      <ApplicationUsage appId={application.appId} />
      <Section title={t('applications.section.info')}>
        <InfoFacts application={application} />
      </Section>
      {callbacks(application, mayWrite)}
      <Section title={t('applications.section.smpp')}>
        <SmppFacts application={application} />
        {mayWrite && <ApplicationTrial appId={application.appId} trace={trace} />}
      </Section>
      <ApplicationSecrets application={application} mayWrite={mayWrite} onSecrets={onSecrets} />
      <ApplicationBinds application={application} mayWrite={mayWrite} />
      {doing === 'edit' && (
        <ApplicationForm application={application} onSecrets={onSecrets} onClose={() => setDoing(null)} />
      )}
      {doing === 'disable' && (
        <ConfirmDialog
          danger
          title={t('applications.disable.title', { name: application.appName })}
          confirmLabel={t('applications.disable.confirm')}
          onConfirm={() => change('disable')}
          onClose={() => setDoing(null)}
        >
          {t('applications.disable.text')}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}

function InfoFacts({ application }: { application: ApplicationDetail }) {
  const t = useText();
  const { locale } = useTexts();
  return (
    <Facts
      items={[
        { key: 'remarks', label: t('applications.remarks'), value: application.remarkInfo },
        {
          key: 'access',
          label: t('applications.accessType'),
          value: t(`applications.accessType.${application.accessType}`),
        },
        {
          key: 'charge',
          label: t('applications.chargeType'),
          value: t(`applications.chargeType.${application.chargeType}`),
        },
        {
          key: 'countries',
          label: t('applications.countries'),
          value: (
            <>
              {application.countries.map((code) => (
                <div key={code}>{`${regionName(locale, code)} · ${code}`}</div>
              ))}
              <div className="small ink-3">{t('applications.countries.hint')}</div>
            </>
          ),
        },
        {
          key: 'doubt',
          label: t('applications.doubt'),
          value: (['verification', 'notification', 'marketing'] as const).map((kind) => (
            <div key={kind}>
              {t('applications.doubt.line', {
                kind: t(`applications.doubt.${kind}`),
                policy: t(`applications.doubt.${application.doubtPolicy[kind]}`),
              })}
            </div>
          )),
        },
        {
          key: 'validFor',
          label: t('applications.validFor'),
          value: validForLines(application.validFor, t).map((line) => <div key={line}>{line}</div>),
        },
        { key: 'created', label: t('applications.createTime'), value: <DateTime value={application.createTime} /> },
      ]}
    />
  );
}

function SmppFacts({ application }: { application: ApplicationDetail }) {
  const t = useText();
  const { smpp } = application;
  return (
    <Facts
      items={[
        {
          key: 'host',
          label: t('applications.smpp.host'),
          value: <CopyText text={smpp.host} label={t('applications.smpp.host')} />,
        },
        {
          key: 'port',
          label: t('applications.smpp.port'),
          value: <CopyText text={String(smpp.port)} label={t('applications.smpp.port')} />,
        },
        ...(smpp.tlsPort === null
          ? []
          : [
              {
                key: 'tlsPort',
                label: t('applications.smpp.tlsPort'),
                value: <CopyText text={String(smpp.tlsPort)} label={t('applications.smpp.tlsPort')} />,
              },
            ]),
        {
          key: 'systemId',
          label: t('applications.smpp.systemId'),
          value: <CopyText text={smpp.systemId} label={t('applications.smpp.systemId')} />,
        },
        {
          key: 'password',
          label: t('applications.smpp.password'),
          value: t(smpp.passwordSet ? 'applications.smpp.password.set' : 'applications.smpp.password.unset'),
        },
        { key: 'types', label: t('applications.smpp.bindTypes'), value: <Mono>{smpp.bindTypes.join(', ')}</Mono> },
        { key: 'connections', label: t('applications.maxConnectNum'), value: <Bdi>{application.maxConnectNum}</Bdi> },
        { key: 'tps', label: t('applications.tps'), value: t('applications.tps.value', { count: application.tps }) },
        {
          key: 'ips',
          label: t('applications.whiteListIp'),
          value:
            application.whiteListIp.length > 0 ? (
              <Mono>{application.whiteListIp.join(', ')}</Mono>
            ) : (
              t('applications.whiteListIp.none')
            ),
        },
      ]}
    />
  );
}
