import { type RecordColumnName, recordColumnNames, type SendRecord } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../../lib/format/formats.ts';
import type { Text } from '../../lib/i18n/use-text.tsx';
import { Count, Dash, DateTime, Mono, PhoneNumber } from '../../ui/data/text.tsx';
import { clientStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { receiptStyle } from './receipt-style.ts';

/** Returns the columns of the list of records; staff see the message's customer and supplier account. */
export function recordColumns(t: Text, isStaff: boolean): Column<SendRecord>[] {
  const staffColumns: Column<SendRecord>[] = [
    { key: 'operator', title: t('records.customer'), cell: (row) => <bdi>{row.operator}</bdi> },
    {
      key: 'supplierAccount',
      title: t('records.supplier'),
      hidden: true,
      cell: (row) => <Mono>{row.supplierAccount}</Mono>,
    },
  ];
  return [
    {
      key: 'clientRequestTime',
      title: t('records.requested'),
      fixed: true,
      cell: (row) => <DateTime value={row.clientRequestTime} style="moment" />,
    },
    {
      key: 'phoneAddress',
      title: t('records.phone'),
      card: 'title',
      cell: (row) => (row.phoneAddress === '' ? t('records.erased') : <PhoneNumber value={row.phoneAddress} />),
    },
    ...(isStaff ? staffColumns : []),
    { key: 'clientSid', title: t('records.sender'), cell: (row) => <Mono>{row.clientSid}</Mono> },
    {
      key: 'fullMessage',
      title: t('records.message'),
      long: true,
      card: 'body',
      cell: (row) => <bdi>{row.fullMessage}</bdi>,
    },
    { key: 'pkgTotal', title: t('records.segments'), align: 'end', cell: (row) => <Count value={row.pkgTotal} /> },
    {
      key: 'clientStatus',
      title: t('records.status'),
      card: 'state',
      cell: (row) => <RecordStatus record={row} t={t} />,
    },
    { key: 'carrier', title: t('records.carrier'), cell: (row) => row.carrier ?? t('records.carrier.none') },
    {
      key: 'clientReportTime',
      title: t('records.receipt'),
      cell: (row) => <ReceiptTime {...row} />,
    },
    {
      key: 'taskName',
      title: t('records.taskName'),
      hidden: true,
      cell: (row) =>
        row.taskId === null ? (
          <Dash />
        ) : (
          <Link to="/bulkMessage" search={{ open: row.taskId }}>
            <bdi>{row.taskName ?? t('records.openTask')}</bdi>
          </Link>
        ),
    },
    { key: 'templateName', title: t('tasks.template'), hidden: true, cell: (row) => row.templateName ?? <Dash /> },
    { key: 'appId', title: t('records.application'), hidden: true, cell: (row) => <Mono>{row.appId}</Mono> },
    { key: 'smsType', title: t('records.type'), hidden: true, cell: (row) => t(`records.type.${row.smsType}`) },
    { key: 'areaCode', title: t('records.country'), hidden: true, cell: (row) => row.areaCode },
    {
      key: 'submissionTime',
      title: t('records.submitted'),
      hidden: true,
      cell: (row) => <DateTime value={row.submissionTime} style="stamp" />,
    },
    { key: 'messageId', title: t('records.id'), hidden: true, cell: (row) => <Mono>{row.messageId}</Mono> },
  ];
}

/** Time only on the day of the request; with the date on another day. */
function ReceiptTime({ clientRequestTime, clientReportTime }: SendRecord) {
  const formats = useFormats();
  return <DateTime value={clientReportTime} style={receiptStyle(clientRequestTime, clientReportTime, formats)} />;
}

/** Returns the file's columns for the shown ones: details below a status are separate columns there. */
export const exportColumns = (shown: readonly string[]): RecordColumnName[] => {
  const below = shown.includes('clientStatus') ? ['dealResult', 'carrierCode'] : [];
  return recordColumnNames.filter((name) => [...shown, ...below].includes(name));
};

/** The status with the carrier's own code under it; without one, our label for the result if it is more specific. */
export function RecordStatus({ record, t, pill = false }: { record: SendRecord; t: Text; pill?: boolean }) {
  const label = t(`records.status.${record.clientStatus}`);
  const result = t.maybe(`deal.${record.dealResult}`);
  const note = record.carrierCode ? <Mono>{record.carrierCode}</Mono> : result !== label && result;
  return (
    <StatusTag {...clientStatusLooks[record.clientStatus]!} pill={pill} {...(note && !pill && { note })}>
      {label}
    </StatusTag>
  );
}
