import { findKeyBeginning, type NamedKey } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { makeListOrder } from '../../lib/router/list-order.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { DateTime, Mono, RelativeTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Section } from '../../ui/page/page.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { KeyForm } from './key-form.tsx';
import { ShownKeyDialog } from './shown-key-dialog.tsx';

/** Keys of all applications, with making and ending them. */
export function NamedKeys() {
  const t = useText();
  const refresh = useRefresh();
  const mayMake = useMay('owner', 'member');
  const mayEnd = useMay('owner', 'member', 'operator', 'admin');
  const [view, setView] = useSearchParams(['keys', 'keysSort', 'prefix', 'customerId', 'new']);
  // Never in the address or the cache: cleared with the dialog.
  const [shown, setShown] = useState<string | null>(null);
  const [ending, setEnding] = useState<NamedKey | null>(null);
  const { pair } = useFormats();
  const { order, sort } = makeListOrder('GET /keys', view.keysSort, (keysSort) =>
    setView({ keysSort, keys: undefined }, { replace: true }),
  );
  const query = { cursor: view.keys, sort, customerId: view.customerId, prefix: view.prefix };
  const list = useCall('GET /keys', { query }, { keepPrevious: true });
  const add = mayMake && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: '1' })}>
      {t('developer.key.add')}
    </Button>
  );
  const end = async ({ keyId }: NamedKey) => {
    await call('DELETE /keys/:keyId', { params: { keyId } });
    toast(t('applications.secret.ended'));
    await refresh('/keys');
  };
  return (
    <Section title={t('developer.tab.keys')} aside={add}>
      <ResourceTable<NamedKey>
        filters={
          <FilterBar
            search={
              <SearchInput
                label={pair(t('audit.type.key'), 'pk_live_…')}
                value={view.prefix}
                // Never the whole: addresses are written into logs.
                onChange={(text) => setView({ prefix: findKeyBeginning(text ?? '') ?? undefined, keys: undefined })}
              />
            }
          ></FilterBar>
        }
        name="keys"
        label={`${t('developer.title')}: ${t('developer.tab.keys')}`}
        columns={useColumns(mayEnd ? setEnding : undefined)}
        rowKey={(row) => row.keyId}
        list={list}
        order={order}
        cursor={view.keys}
        onCursor={(keys) => setView({ keys })}
        filtered={view.prefix !== undefined}
        onClearFilters={() => setView({ prefix: undefined, keys: undefined })}
        onExport={() => exportCsv('GET /keys', { query }, 'keys.csv')}
        empty={<EmptyState title={t('developer.key.empty.title')}>{t('developer.key.empty.text')}</EmptyState>}
      />
      {mayMake && view.new !== undefined && (
        <KeyForm isTest={view.new === 'test'} onMade={setShown} onClose={() => setView({ new: undefined })} />
      )}
      {shown !== null && <ShownKeyDialog apiKey={shown} onClose={() => setShown(null)} />}
      {ending && (
        <ConfirmDialog
          danger
          title={t('developer.key.end.title', { name: ending.keyName })}
          confirmLabel={t('applications.secret.end')}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(null)}
        >
          {t('applications.secret.end.text')}
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Leads customers to what the application sent in test mode. */
function TestMode({ appId }: { appId: string }) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const label = t('developer.key.test');
  return (
    <>
      {' · '}
      {isStaff ? (
        label
      ) : (
        <Link className="text-link" to="/bussinessStatistics/sendRecord" search={{ test: '1', appId }}>
          {label}
        </Link>
      )}
    </>
  );
}

function useColumns(onEnd: ((key: NamedKey) => void) | undefined): Column<NamedKey>[] {
  const t = useText();
  return [
    {
      key: 'keyName',
      title: t('account.passkey.name'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <>
          <bdi>{row.keyName}</bdi>
          <span className="cell-note">
            <Mono>{`${row.prefix}…`}</Mono>
            {row.mode === 'test' && <TestMode appId={row.appId} />}
          </span>
        </>
      ),
    },
    { key: 'state', title: t('applications.state'), card: 'state', cell: (row) => <KeyState row={row} /> },
    { key: 'appName', title: t('senders.application'), cell: (row) => <bdi>{row.appName}</bdi> },
    { key: 'scopes', title: t('developer.key.scopes'), cell: (row) => <Scopes scopes={row.scopes} /> },
    {
      key: 'lastUsedTime',
      title: t('applications.secret.lastUsed'),
      cell: (row) =>
        row.lastUsedTime === null ? (
          <span className="ink-3">{t('applications.secret.never')}</span>
        ) : (
          <>
            <RelativeTime value={row.lastUsedTime} />
            {row.lastUsedIp !== null && (
              <span className="cell-note">
                <Mono>{row.lastUsedIp}</Mono>
              </span>
            )}
          </>
        ),
    },
    {
      key: 'createTime',
      title: t('applications.secret.created'),
      cell: (row) => (
        <>
          <DateTime value={row.createTime} />
          {row.createdBy !== null && (
            <span className="cell-note">
              <bdi>{row.createdBy}</bdi>
            </span>
          )}
        </>
      ),
    },
    {
      key: 'whiteListIp',
      title: t('applications.whiteListIp'),
      hidden: true,
      cell: (row) => (row.whiteListIp.length === 0 ? '–' : <Mono>{row.whiteListIp.join(' ')}</Mono>),
    },
    ...(onEnd
      ? [
          {
            key: 'end',
            title: t('optOuts.act'),
            fixed: true,
            align: 'end' as const,
            card: 'actions' as const,
            cell: (row: NamedKey) => (
              <Button
                variant="danger"
                size="small"
                aria-label={`${t('applications.secret.end')}: ${row.keyName}`}
                onClick={() => onEnd(row)}
              >
                {t('applications.secret.end')}
              </Button>
            ),
          },
        ]
      : []),
  ];
}

/** The first ones, and how many more there are, with all of them in the title. */
function Scopes({ scopes }: { scopes: NamedKey['scopes'] }) {
  const shown = scopes.length > 3 ? scopes.slice(0, 2) : scopes;
  return (
    <span className="developer-scope-list" title={scopes.join(' ')}>
      {shown.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
      {shown.length < scopes.length && <code dir="ltr">{`+${scopes.length - shown.length}`}</code>}
    </span>
  );
}

function KeyState({ row }: { row: NamedKey }) {
  const t = useText();
  const { expireTime } = row;
  if (row.useState === UseState.Disabled || (expireTime !== null && Date.parse(expireTime) <= Date.now()))
    return (
      <StatusTag glyph="bar" tone="neutral">
        {t(row.useState === UseState.Disabled ? 'applications.state.0' : 'members.expired')}
      </StatusTag>
    );
  if (expireTime === null)
    return (
      <StatusTag glyph="tick" tone="primary">
        {t('applications.state.1')}
      </StatusTag>
    );
  return (
    <StatusTag glyph="clock" tone="primary" note={<DateTime value={expireTime} />}>
      {t('applications.secret.until')}
    </StatusTag>
  );
}
