import { Columns3, Download, Rows3 } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { phone, useMedia } from '../base/use-media.ts';
import { toastError } from '../feedback/toast-store.ts';
import { MenuItem, Popover } from '../layers/popover.tsx';
import { InHeader, useHeaderPlaces } from '../page/header-place.tsx';
import { isSavedList } from '../views/view-values.ts';
import { ViewsSlot } from '../views/views-slot.tsx';
import { OrderMenu, toolLook } from './order-menu.tsx';
import type { ResourceTableProps } from './resource-table-props.ts';
import { SearchProgress } from './search-progress.tsx';
import { type Density, isColumnShown, type TableSettings } from './table-settings.ts';

type BarProps<R> = ResourceTableProps<R> & {
  settings: TableSettings;
  onSettings: (patch: Partial<TableSettings>) => void;
};

/**
 * The line above a list: its filters, a search that goes on, its new entries, and its settings. The settings of a page's
 * own list, the one with filters, are in the page's header, except on a phone.
 */
export function TableBar<R>(props: BarProps<R>) {
  const { list, filters, fresh, search, settings } = props;
  const t = useText();
  const isPhone = useMedia(phone);
  const { tools } = useHeaderPlaces().elements;
  const isInHeader = !isPhone && Boolean(filters) && Boolean(tools);
  return (
    <div className="resource-bar">
      {filters}
      {isSavedList(props.name) && <ViewsSlot list={props.name} switched={settings.switched} />}
      {search !== undefined && search.state !== 'done' && (
        <SearchProgress search={search} found={list.data?.items.length ?? 0} />
      )}
      {fresh && fresh.count > 0 && (
        <span className="resource-fresh" role="status">
          <i className="live-dot" />
          {t('ui.new', { count: fresh.count })}
          <Button variant="link" size="small" onClick={fresh.onShow}>
            {t('ui.show')}
          </Button>
        </span>
      )}
      {isInHeader ? (
        <InHeader place="tools">
          <TableTools {...props} />
        </InHeader>
      ) : (
        <TableTools {...props} />
      )}
    </div>
  );
}

function TableTools<R>(props: BarProps<R>) {
  const { columns, order, onExport, settings } = props;
  const shownKeys = columns.filter((column) => isColumnShown(column, settings)).map(({ key }) => key);
  return (
    <span className="resource-tools">
      <DisplaySettings {...props} />
      {order && <OrderMenu columns={columns} order={order} />}
      {onExport && <ExportButton onExport={() => onExport(settings.switched.length > 0 ? shownKeys : undefined)} />}
    </span>
  );
}

interface DisplaySettingsProps<R> {
  columns: ResourceTableProps<R>['columns'];
  settings: BarProps<R>['settings'];
  onSettings: BarProps<R>['onSettings'];
}

/** Density, columns and their widths, which cards have none of. */
function DisplaySettings<R>({ columns, settings, onSettings }: DisplaySettingsProps<R>) {
  const t = useText();
  const choosable = columns.filter((column) => !column.fixed);
  const toggle = (key: string) =>
    onSettings({
      switched: settings.switched.includes(key)
        ? settings.switched.filter((other) => other !== key)
        : [...settings.switched, key],
    });
  return (
    <span className="only-wide row">
      <Popover align="end" label={t('ui.density')} button={toolLook(Rows3, t('ui.density'))}>
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
        <Popover align="end" label={t('ui.columns')} button={toolLook(Columns3, t('ui.columns'))}>
          {(close) => (
            <>
              {choosable.map((column) => (
                <label className="choice" key={column.key}>
                  <input
                    type="checkbox"
                    checked={isColumnShown(column, settings)}
                    onChange={() => toggle(column.key)}
                  />
                  {column.title}
                </label>
              ))}
              {Object.keys(settings.widths).length > 0 && (
                <>
                  <hr className="menu-rule" />
                  <MenuItem
                    onClick={() => {
                      onSettings({ widths: {} });
                      close();
                    }}
                  >
                    {t('ui.columns.resetWidths')}
                  </MenuItem>
                </>
              )}
            </>
          )}
        </Popover>
      )}
    </span>
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
    <Button className="resource-export" size="medium" icon={Download} loading={busy} onClick={() => void run()}>
      <span>{busy ? t('ui.exporting') : t('ui.export')}</span>
    </Button>
  );
}
