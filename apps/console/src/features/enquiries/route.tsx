import type { EnquiryView } from '@pahatid/contract';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Dash, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Facts, Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { mailTo } from './mail-to.ts';

/** What visitors wrote by the contact form. */
export default function EnquiriesScreen() {
  const t = useText();
  const { view, setView, query, order } = useListView([], ['open'], { list: 'GET /enquiries' });
  const list = useCall('GET /enquiries', { query }, { keepPrevious: true });

  const columns: Column<EnquiryView>[] = [
    {
      key: 'time',
      title: t('enquiries.time'),
      fixed: true,
      card: 'state',
      cell: (row) => <DateTime value={row.time} />,
    },
    { key: 'name', title: t('enquiries.name'), fixed: true, card: 'title', cell: (row) => <bdi>{row.name}</bdi> },
    { key: 'company', title: t('enquiries.company'), cell: (row) => row.company ?? <Dash /> },
    { key: 'email', title: t('enquiries.email'), cell: (row) => <bdi dir="ltr">{row.email}</bdi> },
    {
      key: 'message',
      title: t('enquiries.message'),
      long: true,
      card: 'body',
      cell: (row) => <bdi>{row.message}</bdi>,
    },
  ];

  return (
    <Page>
      <PageHeader title={t('enquiries.title')} fact={t('enquiries.fact')} />
      <ResourceTable
        name="enquiries"
        label={t('enquiries.title')}
        columns={columns}
        rowKey={(row) => row.enquiryId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.enquiryId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        empty={<EmptyState title={t('enquiries.empty.title')}>{t('enquiries.empty.text')}</EmptyState>}
      />
      {view.open && (
        <EnquiryDrawer
          enquiryId={view.open}
          row={list.data?.items.find((row) => row.enquiryId === view.open)}
          onClose={() => setView({ open: undefined })}
        />
      )}
    </Page>
  );
}

/** Returns a language's name: "English (United States)". */
const languageName = (locale: string, of: string): string =>
  new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' }).of(of) ?? of;

interface EnquiryDrawerProps {
  enquiryId: string;
  /** What the list shows of it, if the page that is loaded has it: shown until its own read is there. */
  row: EnquiryView | undefined;
  onClose: () => void;
}

function EnquiryDrawer({ enquiryId, row, onClose }: EnquiryDrawerProps) {
  const t = useText();
  const read = useCall('GET /enquiries/:enquiryId', { params: { enquiryId } });
  // A deleted enquiry is not shown from the cache.
  const isGone = read.error?.code === 'NOT_FOUND';
  const enquiry = isGone ? undefined : (read.data ?? row);
  if (enquiry) return <OpenEnquiry enquiry={enquiry} onClose={onClose} />;
  return <LoadingDrawer width="narrow" title={t('enquiries.title')} read={read} onClose={onClose} />;
}

function OpenEnquiry({ enquiry, onClose }: { enquiry: EnquiryView; onClose: () => void }) {
  const t = useText();
  const { locale } = useTexts();
  const refresh = useRefresh();
  const [removing, setRemoving] = useState(false);
  const remove = async () => {
    await call('DELETE /enquiries/:enquiryId', { params: { enquiryId: enquiry.enquiryId } });
    onClose();
    toast(t('enquiries.removed'));
    await refresh('/enquiries');
  };
  const facts = [
    { key: 'email', label: t('enquiries.email'), value: <a href={mailTo(enquiry.email)}>{enquiry.email}</a> },
    {
      key: 'phone',
      label: t('enquiries.phone'),
      value: enquiry.phone ? <bdi dir="ltr">{enquiry.phone}</bdi> : <Dash />,
    },
    { key: 'company', label: t('enquiries.company'), value: enquiry.company ?? <Dash /> },
    { key: 'locale', label: t('enquiries.locale'), value: languageName(locale, enquiry.locale) },
    { key: 'time', label: t('enquiries.time'), value: <DateTime value={enquiry.time} /> },
  ];
  return (
    <Drawer
      width="narrow"
      title={enquiry.name}
      onClose={onClose}
      actions={
        <>
          <a className="button is-primary" href={mailTo(enquiry.email)}>
            <Icon of={Mail} />
            {t('enquiries.reply')}
          </a>
          <Button variant="danger" onClick={() => setRemoving(true)}>
            {t('enquiries.remove')}
          </Button>
        </>
      }
    >
      <Facts items={facts} />
      <p className="written-text" dir="auto">
        {enquiry.message}
      </p>
      {removing && (
        <ConfirmDialog
          danger
          title={t('enquiries.remove.title')}
          confirmLabel={t('enquiries.remove')}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        >
          {t('enquiries.remove.text')}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
