import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { type TableSettings, useTableSettings } from '../table/table-settings.ts';
import { isSavedList } from './view-values.ts';

/**
 * A list's settings, with the columns of the saved view in the address. Columns switched then are of this view on this
 * screen: what the user has without a view stays as it was.
 */
export function useViewedSettings(name: string): [TableSettings, (patch: Partial<TableSettings>) => void] {
  const [settings, change] = useTableSettings(name);
  const [{ saved: viewId }] = useSearchParams(['saved']);
  const list = isSavedList(name) ? name : undefined;
  const isOn = list !== undefined && viewId !== undefined;
  const views = useCall('GET /saved-filters', { query: { list } }, { enabled: isOn, staleTime: 60_000 });
  const columns = isOn ? views.data?.items.find(({ filterId }) => filterId === viewId)?.columns : null;
  const [own, setOwn] = useState<{ viewId: string | undefined; switched: string[] }>();
  if (!columns) return [settings, change];
  const switched = own !== undefined && own.viewId === viewId ? own.switched : columns;
  const changeView = ({ switched: next, ...rest }: Partial<TableSettings>): void => {
    if (next) setOwn({ viewId, switched: next });
    if (Object.keys(rest).length > 0) change(rest);
  };
  return [{ ...settings, switched }, changeView];
}
