import type { SendRecord } from '@pahatid/contract';
import { Copy, Download } from 'lucide-react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { copyText } from '../../ui/data/copy-text.ts';
import { formatPhone } from '../../ui/data/text.tsx';
import type { BulkActions } from '../../ui/table/bulk-action.ts';
import { copyIdAction, copyPhoneAction } from '../../ui/table/copy-actions.ts';
import type { RowActions } from '../../ui/table/row-action.ts';

const nameOf = (row: SendRecord): string => `${formatPhone(row.phoneAddress)} ${row.messageId}`;

/** What can be done with several records. */
export function useBulkRecordActions(isTest: boolean): BulkActions<SendRecord> {
  const t = useText();
  return {
    nameOf,
    actions: [
      {
        key: 'copy',
        label: t('ui.copyPhones'),
        icon: Copy,
        all: (rows) => copyText(rows.map(({ phoneAddress }) => formatPhone(phoneAddress)).join('\n'), t),
      },
      {
        key: 'export',
        label: t('ui.export'),
        icon: Download,
        all: (rows) => {
          const messageIds = rows.map(({ messageId }) => messageId).join(',');
          return exportCsv('GET /records', { query: { messageIds, ...(isTest && { test: '1' }) } }, 'records.csv');
        },
      },
    ],
  };
}

/** What can be done with a record in the list. */
export function useRecordRowActions(): RowActions<SendRecord> {
  const t = useText();
  return {
    nameOf,
    actions: [copyPhoneAction(t, ({ phoneAddress }) => phoneAddress), copyIdAction(t, ({ messageId }) => messageId)],
  };
}
