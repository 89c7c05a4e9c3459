import { AuditStatus, type Sender } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Facts, Section } from '../../ui/page/page.tsx';
import { CarrierState } from './carrier-state.tsx';

type Registration = Sender['carriers'][number];

/** Registration status with each carrier; staff set it, the customer reads it. */
export function SenderCarriers({ sender }: { sender: Sender }) {
  const t = useText();
  const maySet = useMay('reviewer', 'operator', 'admin');
  if (sender.carriers.length === 0) return null;
  return (
    <Section title={t('senders.carriers')}>
      <div className="stack senders-registration">
        <p className="small ink-2">{t('senders.carriers.text')}</p>
        <Facts
          items={sender.carriers.map((registration) => ({
            key: registration.carrier,
            label: registration.carrier,
            value: maySet ? (
              <CarrierChoice sender={sender} registration={registration} />
            ) : (
              <CarrierState status={registration.auditStatus} />
            ),
          }))}
        />
      </div>
    </Section>
  );
}

function CarrierChoice({ sender, registration }: { sender: Sender; registration: Registration }) {
  const t = useText();
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const { carrier } = registration;
  const set = async (auditStatus: AuditStatus) => {
    setBusy(true);
    try {
      await call('PUT /reviews/senders/:id/carriers', { params: { id: sender.id }, body: { carrier, auditStatus } });
      toast(t('senders.carriers.did'));
      await refresh('/senders', '/reviews');
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Field label={t('senders.carriers.set', { carrier })} className="senders-carrier">
      <Select
        value={registration.auditStatus}
        disabled={busy}
        options={Object.values(AuditStatus).map((value) => ({ value, label: t(`senders.carrier.${value}`) }))}
        onChange={(value) => value !== null && value !== registration.auditStatus && void set(value)}
      />
    </Field>
  );
}
