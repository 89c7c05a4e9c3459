import { Columns3, Download, Rows3 } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { toastError } from '../feedback/toast-store.ts';
import { MenuItem, Popover } from '../layers/popover.tsx';
import { OrderMenu } from './order-menu.tsx';
import type { ResourceTableProps } from './resource-table-props.ts';
import { SearchProgress } from './search-progress.tsx';
import { type Density, isColumnShown, type useTableSettings } from './table-settings.ts';

type Settings = ReturnType<typeof useTableSettings>;

/** The line above a list: its count, its new entries, and its display settings. */
export function TableBar<R>(props: ResourceTableProps<R> & { settings: Settings[0]; onSettings: Settings[1] }) {
  const { list, order, fact, fresh, onExport, columns, settings, onSettings, search } = props;
  const t = useText();
  const formats = useFormats();
  const total = list.data?.total;
  const choosable = columns.filter((column) => !column.fixed);
  const toggle = (key: string) =>
    onSettings({
      switched: settings.switched.includes(key)
        ? settings.switched.filter((other) => other !== key)
        : [...settings.switched, key],
    });
  const shownKeys = columns.filter((column) => isColumnShown(column, settings)).map(({ key }) => key);
  return (
    <div className="resource-bar">
      <span className="grow num">
        {search !== undefined && search.state !== 'done' ? (
          <SearchProgress search={search} found={list.data?.items.length ?? 0} />
        ) : (
          (fact ?? (total === undefined ? null : t('ui.rows', { count: total, shown: formats.number(total) })))
        )}
      </span>
      {fresh && fresh.count > 0 && (
        <span className="resource-fresh" role="status">
          <i className="live-dot" />
          {t('ui.new', { count: fresh.count })}
          <Button variant="link" size="small" onClick={fresh.onShow}>
            {t('ui.show')}
          </Button>
        </span>
      )}
      <span className="only-wide row">
        <Popover align="end" button={{ variant: 'quiet', size: 'small', icon: Rows3, label: t('ui.density') }}>
          {(close) =>
            (['comfortable', 'compact'] satisfies Density[]).map((density) => (
              <MenuItem
                key={density}
                chosen={settings.density === density}
                onClick={() => {
                  onSettings({ density });
                  close();
                }}
              >
                {t(`ui.density.${density}`)}
              </MenuItem>
            ))
          }
        </Popover>
        {choosable.length > 0 && (
          <Popover align="end" button={{ variant: 'quiet', size: 'small', icon: Columns3, label: t('ui.columns') }}>
            {() =>
              choosable.map((column) => (
                <label className="choice" key={column.key}>
                  <input
                    type="checkbox"
                    checked={isColumnShown(column, settings)}
                    onChange={() => toggle(column.key)}
                  />
                  {column.title}
                </label>
              ))
            }
          </Popover>
        )}
      </span>
      {order && <OrderMenu columns={columns} order={order} />}
      {onExport && <ExportButton onExport={() => onExport(settings.switched.length > 0 ? shownKeys : undefined)} />}
    </div>
  );
}

function ExportButton({ onExport }: { onExport: () => unknown }) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await onExport();
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="quiet" size="small" icon={Download} loading={busy} onClick={() => void run()}>
      {busy ? t('ui.exporting') : t('ui.export')}
    </Button>
  );
}
