import { X } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { toast, toastError } from '../feedback/toast-store.ts';
import { ConfirmDialog, Dialog } from '../layers/dialog.tsx';
import type { BulkAction, BulkActions } from './bulk-action.ts';
import { type BulkFailure, runForEach } from './run-bulk.ts';
import type { Selection } from './use-selection.ts';
import './bulk.css';

interface BulkBarProps<R> extends BulkActions<R> {
  selection: Selection<R>;
  rowKey: (row: R) => string;
}

/** What can be done with the selected rows, over the end of the list; nothing while none is selected. */
export function BulkBar<R>({ selection, rowKey, nameOf, actions }: BulkBarProps<R>) {
  const t = useText();
  const formats = useFormats();
  const [asked, setAsked] = useState<BulkAction<R> | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [failed, setFailed] = useState<{ done: number; failures: BulkFailure<R>[] } | null>(null);
  const rowsOf = ({ isFor }: BulkAction<R>) => (isFor ? selection.rows.filter(isFor) : selection.rows);

  const act = async (action: BulkAction<R>) => {
    const rows = rowsOf(action);
    setBusy(action.key);
    try {
      if (action.all) await action.all(rows);
      const failures = action.one ? await runForEach(rows, action.one) : [];
      const done = rows.length - failures.length;
      if (failures.length > 0) setFailed({ done, failures });
      else if (action.one) toast(t('ui.bulk.result', { done, failed: 0 }));
      if (action.after) selection.keep(failures.map(({ row }) => rowKey(row)));
    } catch (error) {
      toastError(error);
    }
    await action.after?.().catch(toastError);
    setBusy(null);
  };
  const press = (action: BulkAction<R>) => (action.question === undefined ? void act(action) : setAsked(action));

  const count = selection.rows.length;
  return (
    <>
      {count > 0 && (
        <section className="bulk-bar" aria-label={t('ui.selected', { count })}>
          <span className="bulk-count num" role="status">
            {t('ui.selected', { count })}
          </span>
          {actions.map((action) => {
            const some = rowsOf(action).length;
            return (
              <Button
                key={action.key}
                size="small"
                variant={action.danger ? 'danger' : 'quiet'}
                icon={action.icon}
                disabled={some === 0}
                loading={busy === action.key}
                onClick={() => busy === null && press(action)}
              >
                {some === count || some === 0 ? action.label : formats.pair(action.label, formats.number(some))}
              </Button>
            );
          })}
          <Button
            size="small"
            variant="quiet"
            icon={X}
            aria-label={t('ui.select.clear')}
            title={t('ui.select.clear')}
            onClick={() => selection.keep([])}
          />
        </section>
      )}
      {asked && (
        <ConfirmDialog
          danger={asked.danger === true}
          title={formats.pair(asked.label, formats.number(rowsOf(asked).length))}
          confirmLabel={asked.label}
          onConfirm={() => act(asked)}
          onClose={() => setAsked(null)}
        >
          {asked.question}
          <ul className="bulk-names">
            {rowsOf(asked).map((row) => (
              <li key={rowKey(row)}>
                <bdi>{nameOf(row)}</bdi>
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
      {failed && (
        <Dialog
          title={t('ui.bulk.result', { done: failed.done, failed: failed.failures.length })}
          onClose={() => setFailed(null)}
          footer={<Button onClick={() => setFailed(null)}>{t('ui.close')}</Button>}
        >
          <ul className="bulk-names">
            {failed.failures.map(({ row, error }) => (
              <li key={rowKey(row)}>
                <bdi>{nameOf(row)}</bdi>
                <span className="cell-note">{errorText(error, t)}</span>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
