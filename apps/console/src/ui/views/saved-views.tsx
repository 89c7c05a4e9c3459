import { Role, type SavedFilter, type SavedList } from '@pahatid/contract';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useSession } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../base/class-names.ts';
import { toast, toastError } from '../feedback/toast-store.ts';
import { ConfirmDialog } from '../layers/dialog.tsx';
import { Popover } from '../layers/popover.tsx';
import { useListViews } from './use-list-views.ts';
import { ViewDialog } from './view-dialog.tsx';
import { ViewMenu } from './view-menu.tsx';
import './views.css';

/** Pinned views that stand above a list; the others are in the menu. */
const shownPins = 4;

interface SavedViewsProps {
  list: SavedList;
  /** The columns as they are now. */
  switched: readonly string[];
  /** A button alone, which shows an icon. */
  isSmall: boolean;
}

type Doing = { act: 'add' } | { act: 'edit' | 'remove'; view: SavedFilter };

/** The saved views of a list: the pinned ones to choose from, and the menu of all. */
export default function SavedViews({ list, switched, isSmall }: SavedViewsProps) {
  const t = useText();
  const refresh = useRefresh();
  const mayShare = useSession().user.role !== Role.Viewer;
  const views = useListViews(list, switched);
  const { items, current, show } = views;
  const [doing, setDoing] = useState<Doing>();
  const pinned = isSmall ? [] : items.filter(({ isPinned }) => isPinned === 1).slice(0, shownPins);

  const change = async (work: () => Promise<unknown>, message: string) => {
    try {
      await work();
      await refresh('/saved-filters');
      toast(message);
    } catch (error) {
      toastError(error);
    }
  };
  const edit = (
    { filterId, name }: SavedFilter,
    body: Partial<ReturnType<typeof views.content>> & { isPinned?: 0 | 1 },
  ) =>
    change(
      () => call('PATCH /saved-filters/:filterId', { params: { filterId }, body }),
      t('savedViews.added', { name }),
    );
  const remove = async ({ filterId, name }: SavedFilter) => {
    await call('DELETE /saved-filters/:filterId', { params: { filterId } });
    if (current?.filterId === filterId) show(undefined, true);
    await refresh('/saved-filters');
    toast(t('savedViews.deleted', { name }));
  };

  const isInMenu = current !== undefined && !pinned.includes(current);
  return (
    <>
      {pinned.length > 0 && (
        <nav className="views-pinned" aria-label={t('savedViews.title')}>
          <button
            type="button"
            className="view-tab"
            aria-current={current === undefined}
            onClick={() => show(undefined)}
          >
            {t('savedViews.all')}
          </button>
          {pinned.map((view) => (
            <button
              type="button"
              key={view.filterId}
              className={classNames('view-tab', view === current && views.isChanged && 'is-changed')}
              aria-current={view === current}
              onClick={() => show(view)}
            >
              <bdi>{view.name}</bdi>
            </button>
          ))}
        </nav>
      )}
      <Popover
        label={t('savedViews.title')}
        align={isSmall ? 'end' : 'start'}
        button={{
          icon: Bookmark,
          variant: isSmall ? 'default' : 'quiet',
          className: classNames('views-button', isInMenu && 'is-on', isSmall && 'is-small'),
          title: t('savedViews.title'),
          ...(isSmall && { 'aria-label': t('savedViews.title') }),
          label: isSmall ? null : <span className="clip">{isInMenu ? current.name : t('savedViews.title')}</span>,
        }}
      >
        {(close) => {
          const then =
            <A extends unknown[]>(work: (...args: A) => unknown) =>
            (...args: A): void => {
              close();
              void work(...args);
            };
          return (
            <ViewMenu
              views={items}
              current={current}
              isChanged={views.isChanged}
              onShow={then(show)}
              onPin={(view) => void edit(view, { isPinned: view.isPinned === 1 ? 0 : 1 })}
              onEdit={then((view) => setDoing({ act: 'edit', view }))}
              onRemove={then((view) => setDoing({ act: 'remove', view }))}
              onOverwrite={then((view) => edit(view, views.content()))}
              onAdd={then(() => setDoing({ act: 'add' }))}
            />
          );
        }}
      </Popover>
      {(doing?.act === 'add' || doing?.act === 'edit') && (
        <ViewDialog
          list={list}
          view={doing.act === 'edit' ? doing.view : undefined}
          content={views.content}
          mayShare={mayShare}
          hasPhone={views.hasPhone}
          onAdded={(view) => show(view, true)}
          onClose={() => setDoing(undefined)}
        />
      )}
      {doing?.act === 'remove' && (
        <ConfirmDialog
          title={t('savedViews.delete.title', { name: doing.view.name })}
          confirmLabel={t('savedViews.delete')}
          danger
          onConfirm={() => remove(doing.view)}
          onClose={() => setDoing(undefined)}
        >
          {doing.view.isShared === 1 && t('savedViews.team')}
        </ConfirmDialog>
      )}
    </>
  );
}
