import type { Consent } from '@pahatid/contract';
import { FileText } from 'lucide-react';
import { call } from '../../../lib/api/call.ts';
import { saveBlob } from '../../../lib/api/export-csv.ts';
import { attachmentBlob } from '../../../lib/files/attachments.ts';
import { useText } from '../../../lib/i18n/use-text.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { Dash, DateTime, PhoneNumber } from '../../../ui/data/text.tsx';
import { toastError } from '../../../ui/feedback/toast-store.ts';
import { StatusTag } from '../../../ui/status/status-tag.tsx';
import type { Column } from '../../../ui/table/resource-table-props.ts';

/** `onWithdraw`: of a user that may write. */
export function useConsentColumns(onWithdraw: ((row: Consent) => void) | undefined): Column<Consent>[] {
  const t = useText();
  const saveFile = async (evidenceId: string) => {
    const file = await call('GET /consents/:evidenceId/file', { params: { evidenceId } });
    saveBlob(attachmentBlob(file), file.name);
  };
  const columns: Column<Consent>[] = [
    {
      key: 'mobileNumber',
      title: t('optOuts.mobileNumber'),
      fixed: true,
      card: 'title',
      cell: (row) => <PhoneNumber value={row.mobileNumber} />,
    },
    {
      key: 'state',
      title: t('records.status'),
      cell: (row) =>
        row.withdrawTime === null ? (
          <StatusTag glyph="tick" tone="success">
            {t('consents.inForce')}
          </StatusTag>
        ) : (
          <span className="cell-name">
            <StatusTag glyph="bar" tone="warning">
              {t('consents.withdrawn')}
            </StatusTag>
            <span className="cell-note">
              <DateTime value={row.withdrawTime} style="short" />
            </span>
          </span>
        ),
    },
    { key: 'source', title: t('optOuts.source'), cell: (row) => t(`consents.source.${row.source}`) },
    {
      key: 'givenTime',
      title: t('consents.givenTime'),
      cell: (row) => <DateTime value={row.givenTime} style="short" />,
    },
    { key: 'wording', title: t('consents.wording'), long: true, cell: (row) => <bdi>{row.wording}</bdi> },
    {
      key: 'file',
      title: t('consents.file'),
      cell: (row) => <EvidenceName row={row} onSave={onWithdraw && saveFile} />,
    },
    { key: 'addedBy', title: t('optOuts.addedBy'), cell: (row) => (row.addedBy ? <bdi>{row.addedBy}</bdi> : <Dash />) },
    {
      key: 'createTime',
      title: t('tasks.createTime'),
      cell: (row) => <DateTime value={row.createTime} style="short" />,
    },
  ];
  if (onWithdraw === undefined) return columns;
  return [
    ...columns,
    {
      key: 'withdraw',
      title: t('optOuts.act'),
      fixed: true,
      align: 'end',
      card: 'actions',
      cell: (row) =>
        row.withdrawTime === null && (
          <Button
            variant="link"
            size="small"
            aria-label={t('consents.withdraw.title', { number: row.mobileNumber })}
            onClick={() => onWithdraw(row)}
          >
            {t('approvals.withdraw')}
          </Button>
        ),
    },
  ];
}

/** Its file, which those see that may write. */
function EvidenceName({ row, onSave }: { row: Consent; onSave: ((evidenceId: string) => Promise<void>) | undefined }) {
  if (row.fileName === null) return <Dash />;
  if (onSave === undefined) return <bdi>{row.fileName}</bdi>;
  return (
    <Button size="small" variant="quiet" icon={FileText} onClick={() => void onSave(row.evidenceId).catch(toastError)}>
      <bdi className="clip groups-evidence">{row.fileName}</bdi>
    </Button>
  );
}
