import { type SavedFilter, savedFilterLimit } from '@pahatid/contract';
import { Bookmark, BookmarkPlus, Check, Star, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useZone } from '../../lib/format/zone.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { Checkbox, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Popover } from '../../ui/layers/popover.tsx';
import { isShown, type RecordView, valuesToView, viewToValues } from './saved-filter-view.ts';

const list = 'records';

interface SavedFiltersProps {
  view: RecordView;
  /** Whether a filter is set at all: only then is there something to save. */
  filtered: boolean;
  /** Whether the address has filters, so that the default one is not applied. */
  asked: boolean;
  onApply: (view: RecordView) => void;
}

/** Saved filters: apply, set as the list's default, delete, and save the current ones. */
export function SavedFilters({ view, filtered, asked, onApply }: SavedFiltersProps) {
  const t = useText();
  const zone = useZone();
  const refresh = useRefresh();
  const saved = useCall('GET /saved-filters', { query: { list } }, { staleTime: 60_000 });
  const items = saved.data?.items ?? [];
  const [isSaving, setIsSaving] = useState(false);
  useDefault(saved.data?.items, asked, (filter) => onApply(valuesToView(filter.filters, zone)));

  const change = async (work: () => Promise<unknown>, message: string) => {
    try {
      await work();
      await refresh('/saved-filters');
      toast(message);
    } catch (error) {
      toastError(error);
    }
  };
  const setDefault = (filter: SavedFilter) =>
    change(
      () =>
        call('PATCH /saved-filters/:filterId', {
          params: { filterId: filter.filterId },
          body: { isDefault: filter.isDefault === 1 ? 0 : 1 },
        }),
      filter.isDefault === 1
        ? t('records.saved.notDefault.done')
        : t('records.saved.default.done', { name: filter.name }),
    );
  const remove = (filter: SavedFilter) =>
    change(
      () => call('DELETE /saved-filters/:filterId', { params: { filterId: filter.filterId } }),
      t('records.saved.deleted', { name: filter.name }),
    );
  const current = filtered ? items.find((filter) => isShown(filter.filters, view, zone)) : undefined;

  return (
    <>
      <Popover
        label={t('records.saved')}
        button={{
          icon: Bookmark,
          className: current ? 'chip is-on' : 'chip records-saved-button',
          label: <span className="clip">{current?.name ?? t('records.saved')}</span>,
        }}
      >
        {(close) => (
          <div className="records-saved">
            {items.length === 0 ? (
              <p className="small ink-2 records-saved-none">{t('records.saved.none')}</p>
            ) : (
              <ul>
                {items.map((filter) => (
                  <li key={filter.filterId}>
                    <button
                      type="button"
                      className="menu-item"
                      aria-current={filter === current || undefined}
                      onClick={() => {
                        onApply(valuesToView(filter.filters, zone));
                        close();
                      }}
                    >
                      <bdi className="grow clip">{filter.name}</bdi>
                      {filter === current && <Icon of={Check} className="check" />}
                    </button>
                    <Button
                      variant="quiet"
                      size="small"
                      icon={Star}
                      className={filter.isDefault === 1 ? 'is-starred' : undefined}
                      aria-pressed={filter.isDefault === 1}
                      aria-label={t('records.saved.default', { name: filter.name })}
                      title={t('records.saved.default', { name: filter.name })}
                      onClick={() => void setDefault(filter)}
                    />
                    <Button
                      variant="quiet"
                      size="small"
                      icon={Trash2}
                      aria-label={t('records.saved.delete', { name: filter.name })}
                      title={t('records.saved.delete', { name: filter.name })}
                      onClick={() => void remove(filter)}
                    />
                  </li>
                ))}
              </ul>
            )}
            <hr className="menu-rule" />
            <button
              type="button"
              className="menu-item"
              disabled={!filtered || current !== undefined || items.length >= savedFilterLimit}
              onClick={() => {
                close();
                setIsSaving(true);
              }}
            >
              <Icon of={BookmarkPlus} />
              <span className="grow">{t('records.saved.add')}</span>
            </button>
            {!filtered && <p className="tiny ink-3 records-saved-none">{t('records.saved.add.hint')}</p>}
          </div>
        )}
      </Popover>
      {isSaving && <SaveDialog view={view} onClose={() => setIsSaving(false)} />}
    </>
  );
}

/** Applies the user's default filter once, when the list is opened without filters. */
function useDefault(
  items: readonly SavedFilter[] | undefined,
  asked: boolean,
  apply: (filter: SavedFilter) => void,
): void {
  const isOpen = useRef(!asked);
  useEffect(() => {
    if (asked) isOpen.current = false;
    if (!isOpen.current || items === undefined) return;
    isOpen.current = false;
    const first = items.find((filter) => filter.isDefault === 1);
    if (first) apply(first);
  });
}

function SaveDialog({ view, onClose }: { view: RecordView; onClose: () => void }) {
  const t = useText();
  const zone = useZone();
  const refresh = useRefresh();
  const form = useForm({
    initial: { name: '', isDefault: false },
    validate: ({ name }) => ({
      ...(name.trim() === '' && { name: t('ui.required.message', { label: t('records.saved.name') }) }),
    }),
    codeFields: { SAVED_FILTER_NAME_TAKEN: 'name' },
    submit: async ({ name, isDefault }) => {
      await call('POST /saved-filters', {
        body: { list, name, filters: viewToValues(view, zone), isDefault: isDefault ? 1 : 0 },
      });
      await refresh('/saved-filters');
      toast(t('records.saved.added', { name }));
      onClose();
    },
  });
  return (
    <FormDialog title={t('records.saved.add')} form={form} onClose={onClose}>
      <Field label={t('records.saved.name')} required {...form.field('name')}>
        <TextInput {...form.bind('name')} maxLength={40} data-autofocus />
      </Field>
      <Checkbox checked={form.values.isDefault} onChange={(isDefault) => form.set({ isDefault })}>
        {t('records.saved.openWith')}
      </Checkbox>
      <p className="tiny ink-3">
        {t('records.saved.kept')} {view.phoneAddress !== undefined && t('records.saved.noPhone')}
      </p>
    </FormDialog>
  );
}
