import { Download } from 'lucide-react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';
import { lastMonths } from './charge-range.ts';
import { useMonthName } from './month-name.ts';

const shownMonths = 12;

/** One csv a month: opening balance, what came and went, closing balance. */
export function StatementMenu({ customerId }: { customerId: string | undefined }) {
  const t = useText();
  const { zone } = useFormats();
  const nameOf = useMonthName();
  const download = (month: string) =>
    exportCsv('GET /billing/statement', { query: { customerId, zone, month } }, `statement-${month}.csv`).catch(
      toastError,
    );
  return (
    <Popover align="end" label={t('billing.statement')} button={{ label: t('billing.statement'), icon: Download }}>
      {(close) =>
        lastMonths(shownMonths, zone, Date.now()).map((month) => (
          <MenuItem
            key={month}
            onClick={() => {
              close();
              void download(month);
            }}
          >
            {nameOf(month)}
          </MenuItem>
        ))
      }
    </Popover>
  );
}
