import type { Chart } from '@pahatid/contract';
import { ArrowLeft, ArrowRight, Copy, Ellipsis, Pencil, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';

interface ChartMenuProps {
  chart: Chart;
  charts: readonly Chart[];
  onEdit: () => void;
  onChoose: (chartId: string | undefined) => void;
}

/** What can be done with one chart of one's own. */
export default function ChartMenu({ chart, charts, onEdit, onChoose }: ChartMenuProps) {
  const t = useText();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const params = { chartId: chart.chartId };
  const at = charts.findIndex((each) => each.chartId === chart.chartId);

  const act = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      toast(done);
    } catch (error) {
      toastError(error);
    }
    await refresh('/charts');
  };
  const move = (by: 1 | -1) =>
    act(async () => {
      const chartIds = charts.map((each) => each.chartId);
      const [moved = ''] = chartIds.splice(at, 1);
      chartIds.splice(at + by, 0, moved);
      await call('PUT /charts/order', { body: { chartIds } });
    }, t('statistics.moved'));
  const copy = () =>
    act(async () => {
      const tabName = t('statistics.copyOf', { name: chart.tabName }).slice(0, 40).trim();
      const made = await call('POST /charts/:chartId/copy', { params, body: { tabName } });
      await refresh('/charts');
      onChoose(made.chartId);
    }, t('statistics.copied'));
  const remove = async () => {
    await call('DELETE /charts/:chartId', { params });
    onChoose(undefined);
    toast(t('statistics.deleted'));
    await refresh('/charts');
  };

  return (
    <>
      <Popover
        align="end"
        label={t('statistics.menu')}
        button={{ icon: Ellipsis, 'aria-label': t('statistics.menu'), title: t('statistics.menu'), label: null }}
      >
        {(close) => {
          const then = (work: () => unknown) => () => {
            close();
            void work();
          };
          return (
            <>
              <MenuItem icon={<Icon of={Pencil} />} onClick={then(onEdit)}>
                {t('statistics.edit')}
              </MenuItem>
              <MenuItem icon={<Icon of={Copy} />} onClick={then(copy)}>
                {t('statistics.copy')}
              </MenuItem>
              <MenuItem
                icon={<Icon of={Star} />}
                disabled={chart.isDefault === 1}
                onClick={then(() =>
                  act(() => call('POST /charts/:chartId/default', { params }), t('statistics.madeDefault')),
                )}
              >
                {t('statistics.makeDefault')}
              </MenuItem>
              <MenuItem icon={<Icon of={ArrowLeft} mirror />} disabled={at <= 0} onClick={then(() => move(-1))}>
                {t('statistics.earlier')}
              </MenuItem>
              <MenuItem
                icon={<Icon of={ArrowRight} mirror />}
                disabled={at === charts.length - 1}
                onClick={then(() => move(1))}
              >
                {t('statistics.later')}
              </MenuItem>
              <MenuItem icon={<Icon of={Trash2} />} danger onClick={then(() => setAsking(true))}>
                {t('statistics.delete')}
              </MenuItem>
            </>
          );
        }}
      </Popover>
      {asking && (
        <ConfirmDialog
          danger
          title={t('statistics.delete.title', { name: chart.tabName })}
          confirmLabel={t('statistics.delete')}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {t('statistics.delete.text')}
        </ConfirmDialog>
      )}
    </>
  );
}
