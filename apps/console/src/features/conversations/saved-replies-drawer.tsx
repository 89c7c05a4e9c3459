import { type SavedReply, savedReplyLength, savedReplyNameLength } from '@pahatid/contract';
import { countSegments } from '@pahatid/domain';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';

/** What is open over the list: a new one, one to change, one to delete. */
type Open = { act: 'add' } | { act: 'edit' | 'delete'; of: SavedReply };

/** The team's saved replies, added, changed and deleted. */
export default function SavedRepliesDrawer({ onClose }: { onClose: () => void }) {
  const t = useText();
  const list = useCall('GET /saved-replies');
  const refresh = useRefresh();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ act: 'add' })}>
      {t('conversations.saved.add')}
    </Button>
  );
  const isEmpty = list.data?.savedReplies.length === 0;
  return (
    <Drawer title={t('conversations.saved')} width="narrow" actions={isEmpty ? undefined : add} onClose={onClose}>
      {list.error ? (
        <FailedState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <SkeletonLines lines={6} />
      ) : isEmpty ? (
        <EmptyState title={t('conversations.saved.none')} action={add} />
      ) : (
        <ul className="conversation-saved-list">
          {list.data.savedReplies.map((of) => (
            <Row key={of.savedReplyId} of={of} onOpen={(act) => setOpen({ act, of })} />
          ))}
        </ul>
      )}
      {open?.act === 'add' && <SavedReplyForm onClose={close} />}
      {open?.act === 'edit' && <SavedReplyForm of={open.of} onClose={close} />}
      {open?.act === 'delete' && (
        <ConfirmDialog
          danger
          title={t('groups.delete.title', { name: open.of.name })}
          confirmLabel={t('groups.delete')}
          onConfirm={async () => {
            const params = { savedReplyId: open.of.savedReplyId };
            await call('DELETE /saved-replies/:savedReplyId', { params });
            await refresh('/saved-replies');
            close();
          }}
          onClose={close}
        >
          <bdi>{open.of.content}</bdi>
        </ConfirmDialog>
      )}
    </Drawer>
  );
}

function Row({ of, onOpen }: { of: SavedReply; onOpen: (act: 'edit' | 'delete') => void }) {
  const t = useText();
  const { name, content } = of;
  return (
    <li>
      <div className="grow">
        <p className="strong">
          <bdi>{name}</bdi>
        </p>
        <p className="ink-2">
          <bdi>{content}</bdi>
        </p>
        <p className="small ink-3">{t('ui.segments', { count: countSegments(content).segments })}</p>
      </div>
      <Button
        variant="quiet"
        size="small"
        icon={Pencil}
        aria-label={`${t('groups.edit')}: ${name}`}
        onClick={() => onOpen('edit')}
      />
      <Button
        variant="quiet"
        size="small"
        icon={Trash2}
        aria-label={`${t('groups.delete')}: ${name}`}
        onClick={() => onOpen('delete')}
      />
    </li>
  );
}

function SavedReplyForm({ of, onClose }: { of?: SavedReply; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const required = (label: string) => t('ui.required.message', { label });
  const form = useForm({
    initial: { name: of?.name ?? '', content: of?.content ?? '' },
    validate: ({ name, content }) => ({
      ...(name.trim() === '' && { name: required(t('conversations.saved.name')) }),
      ...(content.trim() === '' && { content: required(t('review.text')) }),
    }),
    codeFields: { NAME_TAKEN: 'name' },
    submit: async (body) => {
      if (of === undefined) await call('POST /saved-replies', { body });
      else await call('PATCH /saved-replies/:savedReplyId', { params: { savedReplyId: of.savedReplyId }, body });
      await refresh('/saved-replies');
      onClose();
    },
  });
  const { content } = form.values;
  const segments =
    content.trim() === '' ? undefined : t('ui.segments', { count: countSegments(content.trim()).segments });
  return (
    <FormDialog title={of?.name ?? t('conversations.saved.add')} form={form} onClose={onClose}>
      <Field label={t('conversations.saved.name')} required {...form.field('name')}>
        <TextInput {...form.bind('name')} maxLength={savedReplyNameLength} data-autofocus />
      </Field>
      <Field label={t('review.text')} required hint={segments} {...form.field('content')}>
        <TextArea {...form.bind('content')} rows={4} dir="auto" maxLength={savedReplyLength} />
      </Field>
    </FormDialog>
  );
}
