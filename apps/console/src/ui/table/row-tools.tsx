import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Icon } from '../base/icon.tsx';
import { toastError } from '../feedback/toast-store.ts';
import { MenuItem, Popover } from '../layers/popover.tsx';
import type { RowAction, RowActions } from './row-action.ts';
import './row-tools.css';

/** Where nothing hovers, and on cards, a row has a menu. */
export const menuInstead = '(hover: none), (max-width: 720px)';

interface RowToolsProps<R> extends RowActions<R> {
  row: R;
}

const actionsFor = <R,>({ row, actions }: RowToolsProps<R>): RowAction<R>[] =>
  actions.filter(({ isFor }) => isFor?.(row) ?? true);

/** Runs one action at a time: a second press meanwhile does nothing. */
function useRun<R>(row: R) {
  const [busy, setBusy] = useState<string | null>(null);
  const run = async ({ key, run: act }: RowAction<R>) => {
    if (busy !== null) return;
    setBusy(key);
    try {
      await act(row);
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(null);
    }
  };
  return { busy, run };
}

/** Buttons over the end of a row, shown while the pointer or the keyboard's focus is in it: one stop of the Tab key. */
export function RowTools<R>(props: RowToolsProps<R>) {
  const { row, nameOf } = props;
  const t = useText();
  const formats = useFormats();
  const { dir } = useTexts();
  const actions = actionsFor(props);
  const { busy, run } = useRun(row);
  const [reached, setReached] = useState(0);
  if (actions.length === 0) return null;
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLButtonElement>) => {
    const [before, after] = dir === 'rtl' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
    const next =
      key === after ? currentTarget.nextElementSibling : key === before && currentTarget.previousElementSibling;
    if (next instanceof HTMLElement) next.focus();
  };
  return (
    <div className="row-tools" role="toolbar" aria-label={formats.pair(t('ui.rowActions'), nameOf(row))} data-own-click>
      {actions.map((action, index) => (
        <Button
          key={action.key}
          variant="quiet"
          size="small"
          icon={action.icon}
          loading={busy === action.key}
          tabIndex={index === Math.min(reached, actions.length - 1) ? 0 : -1}
          aria-label={action.label}
          title={action.label}
          onFocus={() => setReached(index)}
          onKeyDown={onKeyDown}
          onClick={() => void run(action)}
        />
      ))}
    </div>
  );
}

/** The same in a menu. */
export function RowMenu<R>(props: RowToolsProps<R>) {
  const { row, nameOf } = props;
  const t = useText();
  const formats = useFormats();
  const actions = actionsFor(props);
  const { busy, run } = useRun(row);
  return (
    <td className="row-menu" data-own-click>
      {actions.length > 0 && (
        <Popover
          align="end"
          label={t('ui.rowActions')}
          button={{
            variant: 'quiet',
            className: 'is-icon',
            'aria-label': formats.pair(t('ui.rowActions'), nameOf(row)),
            label: <Icon of={Ellipsis} />,
          }}
        >
          {(close) =>
            actions.map((action) => (
              <MenuItem
                key={action.key}
                icon={<Icon of={action.icon} />}
                disabled={busy === action.key}
                onClick={() => {
                  close();
                  void run(action);
                }}
              >
                {action.label}
              </MenuItem>
            ))
          }
        </Popover>
      )}
    </td>
  );
}
