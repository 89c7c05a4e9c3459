import type { Dossier } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Choices } from './dossier-choices.tsx';

/** Staff enter that the carrier approved: until when, and which domains. */
export function ApproveDossier({ dossier, onClose }: { dossier: Dossier; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const { customerId, dossierId, domains } = dossier;
  const form = useForm({
    initial: { approvedUntil: '', allowedDomains: domains.map(({ domain }) => domain) },
    validate: ({ approvedUntil }) =>
      approvedUntil === '' ? { approvedUntil: t('ui.required.message', { label: t('approvals.expires') }) } : {},
    submit: async (body) => {
      await call('POST /customers/:customerId/dossiers/:dossierId/approve', {
        params: { customerId, dossierId },
        body,
      });
      toast(t('senders.carriers.did'));
      await refresh('/senders', '/dossiers', '/dossier-queue', '/overview');
      onClose();
    },
  });
  return (
    <FormDialog
      title={`${t('approvals.approve')} · ${dossier.carrier}`}
      form={form}
      saveLabel={t('approvals.approve')}
      onClose={onClose}
    >
      <Field label={t('approvals.expires')} required {...form.field('approvedUntil')}>
        <TextInput {...form.bind('approvedUntil')} type="date" dir="ltr" />
      </Field>
      {domains.length > 0 && (
        <Field group label={t('dossiers.approve.domains')} {...form.field('allowedDomains')}>
          <Choices
            items={domains.map(({ domain }) => ({ value: domain, label: domain }))}
            chosen={form.values.allowedDomains}
            onChange={(allowedDomains) => form.set({ allowedDomains })}
          />
        </Field>
      )}
    </FormDialog>
  );
}
