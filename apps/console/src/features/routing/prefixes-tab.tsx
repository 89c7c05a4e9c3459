import type { PrefixItem } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ChoiceFilter } from '../../ui/filters/filters.tsx';
import { CountrySelect } from '../../ui/form/country-select.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { carriers } from '../../ui/form/scope-fields.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { TabHead } from './tab-head.tsx';

/** The original carrier of each number range. */
export function PrefixesTab() {
  const t = useText();
  const { locale } = useTexts();
  const refresh = useRefresh();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(['search', 'carrier'], ['open', 'new'], {
    list: 'GET /prefixes',
  });
  const list = useCall('GET /prefixes', { query }, { keepPrevious: true });
  const [removing, setRemoving] = useState<PrefixItem | null>(null);
  // A link may open one that is not on the page shown.
  const listed = list.data?.items.find(({ prefix }) => prefix === view.open);
  const one = useCall(
    'GET /prefixes/:prefix',
    { params: { prefix: view.open ?? '' } },
    { enabled: view.open !== undefined && list.data !== undefined && listed === undefined },
  );
  const open = view.open === undefined ? undefined : (listed ?? one.data);
  const columns: Column<PrefixItem>[] = [
    {
      key: 'prefix',
      title: t('routing.prefix'),
      fixed: true,
      card: 'title',
      cell: (row) => <Mono>{`+${row.prefix}`}</Mono>,
    },
    { key: 'carrier', title: t('routing.rangeHolder'), cell: (row) => row.carrier },
    { key: 'areaCode', title: t('routing.areaCode'), cell: (row) => regionName(locale, row.areaCode) },
    {
      key: 'updateTime',
      title: t('routing.changed'),
      cell: (row) => <DateTime value={row.updateTime} style="short" />,
    },
  ];
  return (
    <>
      <p className="small ink-2">{t('routing.prefixes.fact')}</p>
      <ResourceTable
        filters={
          <TabHead
            search={{ label: t('routing.prefix.search'), value: view.search, onChange: (search) => narrow({ search }) }}
            onClear={filtered ? clear : undefined}
            addLabel={t('routing.prefix.add')}
            onAdd={() => setView({ new: '1' })}
          >
            <ChoiceFilter
              label={t('routing.rangeHolder')}
              options={carriers}
              value={view.carrier}
              onChange={(carrier) => narrow({ carrier })}
            />
          </TabHead>
        }
        name="prefixes"
        label={t('routing.tab.prefixes')}
        columns={columns}
        rowKey={(row) => row.prefix}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.prefix })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /prefixes', { query }, 'prefixes.csv')}
        empty={<EmptyState title={t('routing.prefix.empty')}>{t('routing.prefix.empty.text')}</EmptyState>}
      />
      {view.new && <PrefixForm row={null} onClose={() => setView({ new: undefined })} />}
      {open && (
        <PrefixForm
          key={open.version}
          row={open}
          onRemove={() => setRemoving(open)}
          onClose={() => setView({ open: undefined })}
        />
      )}
      {removing && (
        <ConfirmDialog
          danger
          title={t('routing.prefix.remove.title', { prefix: `+${removing.prefix}` })}
          confirmLabel={t('routing.remove')}
          onConfirm={async () => {
            await call('DELETE /prefixes/:prefix', { params: { prefix: removing.prefix } });
            toast(t('routing.prefix.removed'));
            await refresh('/prefixes', '/routes');
            setView({ open: undefined });
          }}
          onClose={() => setRemoving(null)}
        >
          {t('routing.prefix.remove.text')}
        </ConfirmDialog>
      )}
    </>
  );
}

interface PrefixFormProps {
  /** null: a new one. */
  row: PrefixItem | null;
  onRemove?: () => void;
  onClose: () => void;
}

function PrefixForm({ row, onRemove, onClose }: PrefixFormProps) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<{ prefix: string; carrier: string | null; areaCode: string }>({
    initial: { prefix: row?.prefix ?? '63', carrier: row?.carrier ?? null, areaCode: row?.areaCode ?? 'PH' },
    validate: (values) => ({
      ...(!/^[1-9]\d{0,14}$/.test(values.prefix) && { prefix: t('routing.prefix.wrong') }),
      ...(values.carrier === null && { carrier: t('ui.required.choice', { label: t('routing.rangeHolder') }) }),
    }),
    submit: async ({ prefix, carrier, areaCode }) => {
      const holder = carrier ?? '';
      if (row) {
        const params = { prefix: row.prefix };
        await call('PATCH /prefixes/:prefix', { params, body: { carrier: holder, areaCode, version: row.version } });
      } else {
        await call('POST /prefixes', { body: { prefix, carrier: holder, areaCode } });
      }
      toast(t('routing.prefix.saved'));
      await refresh('/prefixes', '/routes');
      onClose();
    },
    codeFields: { PREFIX_TAKEN: 'prefix' },
  });
  return (
    <FormDialog
      title={t(row ? 'routing.prefix.edit' : 'routing.prefix.add')}
      form={form}
      aside={
        onRemove && (
          <Button variant="danger" onClick={onRemove}>
            {t('routing.remove')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <Field label={t('routing.prefix')} required hint={t('routing.prefix.hint')} {...form.field('prefix')}>
        <TextInput
          code
          {...form.bind('prefix')}
          inputMode="numeric"
          disabled={row !== null}
          maxLength={15}
          autoComplete="off"
        />
      </Field>
      <Field label={t('routing.rangeHolder')} required {...form.field('carrier')}>
        <Select {...form.bind('carrier')} options={carriers} />
      </Field>
      <Field label={t('routing.areaCode')} required {...form.field('areaCode')}>
        <CountrySelect value={form.values.areaCode} onChange={(areaCode) => form.set({ areaCode })} />
      </Field>
    </FormDialog>
  );
}
