import { type SupplierDetail, UseState } from '@pahatid/contract';
import { Pencil, PlugZap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useBindErrorText } from '../../lib/format/bind-error-text.ts';
import { useBreakerText } from '../../lib/format/breaker-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, Count, Dash, Mono, RelativeTime } from '../../ui/data/text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, Note, Section } from '../../ui/page/page.tsx';
import { BindTrial } from './bind-trial.tsx';
import { Load } from './load.tsx';
import { SupplierForm } from './supplier-form.tsx';
import { BindState, SupplierState } from './supplier-state.tsx';
import { offsetName, profileDefaults, validityOfHours } from './supplier-values.ts';
import { useWarningText } from './warning-text.ts';

/** One account: its current state, and its settings. */
export function SupplierDrawer({ supplierId, onClose }: { supplierId: string; onClose: () => void }) {
  const t = useText();
  const detail = useCall('GET /suppliers/:supplierId', { params: { supplierId } }, { refetchInterval: 1_000 });
  if (detail.data) return <OpenSupplier supplier={detail.data} onClose={onClose} />;
  return <LoadingDrawer title={t('routing.supplier')} read={detail} onClose={onClose} />;
}

function OpenSupplier({ supplier, onClose }: { supplier: SupplierDetail; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const errorText = useBindErrorText();
  const breakerText = useBreakerText();
  const warningText = useWarningText();
  const { date } = useFormats();
  const [doing, setDoing] = useState<'edit' | 'disable' | 'trial' | null>(null);
  const params = { supplierId: supplier.supplierId };
  const isEnabled = supplier.useState === UseState.Enabled;

  const turn = async (action: 'enable' | 'disable') => {
    const { warnings } = await call(`POST /suppliers/:supplierId/${action}`, { params });
    toast(t(`routing.supplier.${action}d`));
    for (const warning of warnings) toast(warningText(warning), 'info');
    await refresh('/suppliers', '/routes');
  };

  return (
    <Drawer
      title={<Bdi>{supplier.supplierAccount}</Bdi>}
      state={<SupplierState supplier={supplier} pill />}
      meta={<Mono>{`${supplier.host}:${supplier.port}`}</Mono>}
      onClose={onClose}
      actions={
        <>
          <Button icon={PlugZap} onClick={() => setDoing('trial')}>
            {t('routing.trial')}
          </Button>
          <Button icon={Pencil} onClick={() => setDoing('edit')}>
            {t('routing.edit')}
          </Button>
          {isEnabled ? (
            <Button variant="danger" onClick={() => setDoing('disable')}>
              {t('routing.disable')}
            </Button>
          ) : (
            <Button variant="primary" onClick={() => void turn('enable').catch(toastError)}>
              {t('routing.enable')}
            </Button>
          )}
        </>
      }
    >
      <div className="routing-section">
        {supplier.failedTime && (
          <Note tone="danger">{t('routing.supplier.failed', { time: date(supplier.failedTime, 'dateTime') })}</Note>
        )}
        {supplier.breaker && (
          <Note tone={supplier.breaker.state === 'open' ? 'danger' : 'warning'}>{breakerText(supplier.breaker)}</Note>
        )}
        <dl className="routing-figures">
          <div>
            <dt>{t('routing.rate')}</dt>
            <dd>
              <Load used={supplier.rate} of={supplier.tps} label={t('routing.rate')} />
            </dd>
          </div>
          <div>
            <dt>{t('routing.windowUsed')}</dt>
            <dd>
              {supplier.boundCount === 0 ? (
                <Dash />
              ) : (
                <Load
                  used={supplier.windowUsed}
                  of={supplier.windowSize * supplier.boundCount}
                  label={t('routing.windowUsed')}
                />
              )}
            </dd>
          </div>
          <div>
            <dt>{t('routing.waiting')}</dt>
            <dd>
              <Count value={supplier.waitingCount} />
            </dd>
          </div>
        </dl>
        <Section title={t('routing.binds')}>
          {supplier.binds.length === 0 ? (
            <p className="ink-3 small">{t(isEnabled ? 'routing.binds.none' : 'routing.binds.disabled')}</p>
          ) : (
            <div className="routing-scroll">
              <table className="plain-table">
                <caption className="visually-hidden">{t('routing.binds')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t('routing.bind')}</th>
                    <th scope="col">{t('routing.state')}</th>
                    <th scope="col">{t('routing.windowUsed')}</th>
                    <th scope="col">{t('routing.bind.rate')}</th>
                  </tr>
                </thead>
                <tbody>
                  {supplier.binds.map((bind) => (
                    <tr key={`${bind.owner}-${bind.bindNo}`}>
                      <td>
                        <bdi className="num">{bind.bindNo}</bdi>
                        <span className="cell-note">{t(`routing.bindType.${bind.bindType}`)}</span>
                      </td>
                      <td>
                        <BindState bind={bind} />
                        <span className="cell-note">
                          <RelativeTime value={bind.since} />
                        </span>
                        {bind.state !== 'bound' && bind.lastError && (
                          <span className="cell-note routing-error" title={bind.lastError}>
                            {errorText(bind.lastError)}
                          </span>
                        )}
                        {bind.retryTime && <NextTry at={bind.retryTime} />}
                      </td>
                      <td>
                        <Load used={bind.windowUsed} of={supplier.windowSize} label={t('routing.windowUsed')} />
                      </td>
                      <td>
                        <Count value={bind.rate} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Section>
        <Section title={t('routing.settings')}>
          <SupplierFacts supplier={supplier} />
        </Section>
      </div>
      {doing === 'trial' && <BindTrial supplier={supplier} onClose={() => setDoing(null)} />}
      {doing === 'edit' && (
        <SupplierForm supplier={supplier} onSaved={() => setDoing(null)} onClose={() => setDoing(null)} />
      )}
      {doing === 'disable' && (
        <ConfirmDialog
          danger
          title={t('routing.disable.title', { name: supplier.supplierAccount })}
          confirmLabel={t('routing.disable')}
          onConfirm={() => turn('disable')}
          onClose={() => setDoing(null)}
        >
          {t('routing.disable.text', { count: supplier.waitingCount })}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}

function NextTry({ at }: { at: string }) {
  const t = useText();
  const { number } = useFormats();
  const seconds = Math.max(0, Math.round((Date.parse(at) - Date.now()) / 1_000));
  return <span className="cell-note">{t('routing.bind.retry', { seconds: number(seconds) })}</span>;
}

function SupplierFacts({ supplier }: { supplier: SupplierDetail }) {
  const t = useText();
  const { number } = useFormats();
  const { profile } = supplier;
  const receiptZone = profile.receiptZoneMinutes ?? profileDefaults.receiptZoneMinutes;
  const address = (ton: number | undefined, npi: number | undefined, byForm: string): string =>
    ton === undefined && npi === undefined ? byForm : `${ton ?? '–'} / ${npi ?? '–'}`;
  const items = [
    { key: 'systemId', label: t('routing.systemId'), value: <Mono>{supplier.systemId}</Mono> },
    {
      key: 'password',
      label: t('routing.password'),
      value: t('routing.password.kept'),
    },
    { key: 'tls', label: t('routing.tls'), value: t(profile.tls ? 'routing.tls.on' : 'routing.tls.off') },
    {
      key: 'binds',
      label: t('routing.binds'),
      value: `${number(supplier.bindCount)} × ${t(`routing.bindType.${supplier.bindType}`)}`,
    },
    { key: 'window', label: t('routing.window'), value: number(supplier.windowSize) },
    { key: 'tps', label: t('routing.tps'), value: number(supplier.tps) },
    {
      key: 'source',
      label: t('routing.sourceAddress'),
      value: address(profile.sourceTon, profile.sourceNpi, t('routing.byForm')),
    },
    {
      key: 'destination',
      label: t('routing.destinationAddress'),
      value: address(profile.destinationTon, profile.destinationNpi, '1 / 1'),
    },
    {
      key: 'idBase',
      label: t('routing.idBase'),
      value: profile.idBase ? t(`routing.idBase.${profile.idBase}`) : t('routing.idBase.any'),
    },
    {
      key: 'receiptMatch',
      label: t('routing.receiptMatch'),
      value: t(`routing.receiptMatch.${profile.receiptMatch ?? profileDefaults.receiptMatch}`),
    },
    { key: 'receiptZone', label: t('routing.receiptZone'), value: <bdi dir="ltr">{offsetName(receiptZone)}</bdi> },
    {
      key: 'receiptHours',
      label: t('routing.receiptHours'),
      value: number(profile.receiptHours ?? profileDefaults.receiptHours),
    },
    { key: 'query', label: t('routing.query'), value: t(profile.query ? 'routing.tls.on' : 'routing.tls.off') },
    { key: 'validity', label: t('routing.validity'), value: validityText(profile.validityPeriod, t) },
    {
      key: 'timeout',
      label: t('routing.responseTimeout'),
      value: number((profile.responseTimeoutMs ?? profileDefaults.responseTimeoutMs) / 1_000),
    },
    {
      key: 'queueFull',
      label: t('routing.queueFull'),
      value: t(`routing.queueFull.${profile.queueFull ?? profileDefaults.queueFull}`),
    },
    { key: 'alphabet', label: t('routing.alphabet'), value: t(`routing.alphabet.${profile.alphabet ?? 'gsm7'}`) },
  ];
  const named = [
    { key: 'systemType', label: t('routing.systemType'), value: profile.systemType },
    { key: 'serviceType', label: t('routing.serviceType'), value: profile.serviceType },
  ].flatMap(({ value, ...item }) => (value ? [{ ...item, value: <Mono>{value}</Mono> }] : []));
  const statuses = Object.entries(profile.statusClasses ?? {}).map(([status, value]) => ({
    key: status,
    label: <Mono>{status}</Mono>,
    value: t(`routing.status.${value}`),
  }));
  return (
    <>
      <Facts items={[...items, ...named]} />
      {statuses.length > 0 && (
        <>
          <h4 className="routing-sub">{t('routing.form.statuses')}</h4>
          <Facts items={statuses} />
        </>
      )}
    </>
  );
}

/** Returns how long a carrier retries, as text for whole days or hours. */
function validityText(period: string | undefined, t: Text) {
  const value = period ?? profileDefaults.validityPeriod;
  if (value === '') return t('routing.validity.carrier');
  const hours = validityOfHours.get(value);
  if (hours === undefined) return <Mono>{value}</Mono>;
  return hours % 24 === 0
    ? t('routing.validity.days', { count: hours / 24 })
    : t('routing.validity.hours', { count: hours });
}
