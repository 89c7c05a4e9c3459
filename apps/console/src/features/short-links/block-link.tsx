import type { ShortLink } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';

/** Staff disable a link for everybody, with a reason that its customer reads. */
export function BlockLink({ link, onClose }: { link: ShortLink; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) => ({
      ...(reason.trim() === '' && { reason: t('ui.required.message', { label: t('shortLinks.block.reason') }) }),
    }),
    submit: async ({ reason }) => {
      await call('PUT /blocked-links/:linkId', { params: { linkId: link.linkId }, body: { reason } });
      toast(t('shortLinks.block.did'));
      await refresh('/short-links');
      onClose();
    },
  });
  return (
    <FormDialog title={t('shortLinks.block.title', { name: link.linkName })} form={form} onClose={onClose}>
      <Field
        label={t('shortLinks.block.reason')}
        required
        hint={t('shortLinks.block.reason.hint')}
        {...form.field('reason')}
      >
        <TextInput {...form.bind('reason')} maxLength={200} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
