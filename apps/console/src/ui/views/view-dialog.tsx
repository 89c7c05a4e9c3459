import type { CallInput, SavedFilter, SavedList } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../feedback/toast-store.ts';
import { Field } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { Checkbox, TextInput } from '../form/inputs.tsx';
import { useForm } from '../form/use-form.ts';

type Content = Required<Pick<CallInput<'POST /saved-filters'>['body'], 'filters' | 'sort' | 'columns'>>;

interface ViewDialogProps {
  list: SavedList;
  /** The view to change; undefined: a new one of the list as it is now. */
  view: SavedFilter | undefined;
  content: () => Content;
  mayShare: boolean;
  hasPhone: boolean;
  onAdded: (view: SavedFilter) => void;
  onClose: () => void;
}

const mark = (isOn: boolean): 0 | 1 => (isOn ? 1 : 0);

/** The name of a view, who sees it, and where it stands. */
export function ViewDialog({ list, view, content, mayShare, hasPhone, onAdded, onClose }: ViewDialogProps) {
  const t = useText();
  const refresh = useRefresh();
  const isMine = view === undefined || view.madeBy === null;
  const form = useForm({
    initial: {
      name: view?.name ?? '',
      isShared: view?.isShared === 1,
      isPinned: view?.isPinned === 1,
      isDefault: view?.isDefault === 1,
    },
    validate: ({ name }) => ({
      ...(name.trim() === '' && { name: t('ui.required.message', { label: t('savedViews.name') }) }),
    }),
    codeFields: { SAVED_FILTER_NAME_TAKEN: 'name' },
    submit: async ({ name, isShared, isPinned, isDefault }) => {
      const marks = { isShared: mark(isShared), isPinned: mark(isPinned) };
      const body = { name, ...marks, ...(isMine && { isDefault: mark(isDefault) }) };
      if (view === undefined) {
        const added = await call('POST /saved-filters', { body: { list, ...content(), ...body } });
        await refresh('/saved-filters');
        onAdded(added);
      } else {
        await call('PATCH /saved-filters/:filterId', { params: { filterId: view.filterId }, body });
        await refresh('/saved-filters');
      }
      toast(t('savedViews.added', { name }));
      onClose();
    },
  });
  const title = view === undefined ? t('savedViews.add') : t('savedViews.edit', { name: view.name });
  return (
    <FormDialog title={title} form={form} onClose={onClose}>
      <Field label={t('savedViews.name')} required {...form.field('name')}>
        <TextInput {...form.bind('name')} maxLength={40} data-autofocus />
      </Field>
      {(mayShare || form.values.isShared) && (
        <Checkbox checked={form.values.isShared} onChange={(isShared) => form.set({ isShared })}>
          {t('savedViews.team')}
        </Checkbox>
      )}
      <Checkbox checked={form.values.isPinned} onChange={(isPinned) => form.set({ isPinned })}>
        {t('savedViews.pin')}
      </Checkbox>
      {isMine && (
        <Checkbox checked={form.values.isDefault} onChange={(isDefault) => form.set({ isDefault })}>
          {t('savedViews.openWith')}
        </Checkbox>
      )}
      {view === undefined && (
        <p className="tiny ink-3">
          {t('savedViews.kept')} {hasPhone && t('savedViews.noPhone')}
        </p>
      )}
    </FormDialog>
  );
}
