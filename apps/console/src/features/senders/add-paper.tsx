import { type Dossier, type PaperKind, paperKinds, paperLimitBytes } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { isAttachment, toAttachment } from '../../lib/files/attachments.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { AttachmentInput } from '../../ui/form/attachment-input.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';

export function AddPaper({ dossier, onClose }: { dossier: Dossier; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<{ kind: PaperKind | null; content: File | null }>({
    initial: { kind: null, content: null },
    validate: ({ kind, content }) => ({
      ...(kind === null && { kind: t('ui.required.choice', { label: t('dossiers.paper.kind') }) }),
      ...((content === null || !isAttachment(content, paperLimitBytes)) && {
        content: t('dossiers.paper.hint'),
      }),
    }),
    submit: async ({ kind, content }) => {
      if (content === null) return;
      await call('POST /dossiers/:dossierId/papers', {
        params: { dossierId: dossier.dossierId },
        body: { kind: kind ?? 'other', ...(await toAttachment(content)) },
      });
      await refresh('/senders', '/dossiers');
      onClose();
    },
  });
  const { content } = form.values;
  return (
    <FormDialog
      title={t('dossiers.papers')}
      form={form}
      saveLabel={t('dossiers.paper.upload')}
      isDirty={content !== null || undefined}
      onClose={onClose}
    >
      <Field label={t('dossiers.paper.kind')} required {...form.field('kind')}>
        <Select
          {...form.bind('kind')}
          options={paperKinds.map((value) => ({ value, label: t(`dossiers.paper.kind.${value}`) }))}
        />
      </Field>
      <Field label={t('dossiers.paper.file')} required hint={t('dossiers.paper.hint')} {...form.field('content')}>
        <AttachmentInput file={content} onChoose={(file) => form.set({ content: file })} />
      </Field>
    </FormDialog>
  );
}
