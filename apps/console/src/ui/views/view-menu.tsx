import { type SavedFilter, savedFilterLimit } from '@pahatid/contract';
import { BookmarkPlus, Check, Pencil, Pin, Save, Star, Trash2 } from 'lucide-react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Icon } from '../base/icon.tsx';
import { MenuItem } from '../layers/popover.tsx';

interface ViewMenuProps {
  views: readonly SavedFilter[];
  current: SavedFilter | undefined;
  /** Whether the list differs from the current view. */
  isChanged: boolean;
  onShow: (view: SavedFilter | undefined) => void;
  onPin: (view: SavedFilter) => void;
  onEdit: (view: SavedFilter) => void;
  onRemove: (view: SavedFilter) => void;
  onOverwrite: (view: SavedFilter) => void;
  onAdd: () => void;
}

/** Every saved view of a list: one's own, then those shared with the team; and what can be saved now. */
export function ViewMenu(props: ViewMenuProps) {
  const { views, current, isChanged, onShow, onOverwrite, onAdd } = props;
  const t = useText();
  const own = views.filter(({ isShared }) => isShared === 0);
  const shared = views.filter(({ isShared }) => isShared === 1);
  const mine = views.filter(({ madeBy }) => madeBy === null);
  return (
    <div className="views-menu">
      <MenuItem chosen={current === undefined} onClick={() => onShow(undefined)}>
        {t('savedViews.all')}
      </MenuItem>
      <ViewRows {...props} views={own} />
      {shared.length > 0 && <p className="views-heading">{t('savedViews.team')}</p>}
      <ViewRows {...props} views={shared} />
      <hr className="menu-rule" />
      {current && isChanged && current.mayChange === 1 && (
        <MenuItem icon={<Icon of={Save} />} onClick={() => onOverwrite(current)}>
          {t('savedViews.overwrite', { name: current.name })}
        </MenuItem>
      )}
      <MenuItem icon={<Icon of={BookmarkPlus} />} disabled={mine.length >= savedFilterLimit} onClick={onAdd}>
        {t('savedViews.add')}
      </MenuItem>
      {views.length === 0 && <p className="tiny ink-3 views-none">{t('savedViews.none')}</p>}
    </div>
  );
}

function ViewRows({ views, current, onShow, onPin, onEdit, onRemove }: ViewMenuProps) {
  const t = useText();
  const formats = useFormats();
  if (views.length === 0) return null;
  const iconButton = (icon: typeof Pin, label: string, onClick: () => void) => (
    <Button variant="quiet" size="small" icon={icon} aria-label={label} title={label} onClick={onClick} />
  );
  return (
    <ul>
      {views.map((view) => {
        const { name, madeBy } = view;
        const isPinned = view.isPinned === 1;
        return (
          <li key={view.filterId}>
            <button
              type="button"
              className="menu-item"
              aria-current={view === current || undefined}
              onClick={() => onShow(view)}
            >
              <span className="grow views-name">
                <bdi className="clip">{name}</bdi>
                {madeBy !== null && <bdi className="tiny ink-3 clip">{madeBy}</bdi>}
              </span>
              {view.isDefault === 1 && <Icon of={Star} className="views-star" />}
              {view === current && <Icon of={Check} className="check" />}
            </button>
            {view.mayChange === 1 && (
              <>
                <Button
                  variant="quiet"
                  size="small"
                  icon={Pin}
                  className={isPinned ? 'is-pinned' : undefined}
                  aria-pressed={isPinned}
                  aria-label={formats.pair(t('savedViews.pin'), name)}
                  title={t('savedViews.pin')}
                  onClick={() => onPin(view)}
                />
                {iconButton(Pencil, t('savedViews.edit', { name }), () => onEdit(view))}
                {iconButton(Trash2, t('savedViews.delete.of', { name }), () => onRemove(view))}
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
