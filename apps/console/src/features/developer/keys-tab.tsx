import type { ApiKey } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { DateTime, Mono, RelativeTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { Note, Section } from '../../ui/page/page.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { NamedKeys } from './named-keys.tsx';

const yearMs = 365 * 86_400_000;

/** Keys and passwords of all applications; `onRotate` makes a new password. */
export function KeysTab({ onRotate }: { onRotate: (key: ApiKey) => void }) {
  const t = useText();
  const mayWrite = useMay('owner');
  const [view, setView] = useSearchParams(['cursor', 'customerId']);
  const query = { cursor: view.cursor, customerId: view.customerId };
  const list = useCall('GET /developer/keys', { query }, { keepPrevious: true });
  return (
    <>
      <NamedKeys />
      <Section title={t('applications.section.passwords')}>
        <Note>{t('developer.keys.note')}</Note>
        <ResourceTable<ApiKey>
          name="api-keys"
          label={`${t('developer.title')}: ${t('applications.section.passwords')}`}
          columns={useColumns(mayWrite ? onRotate : undefined)}
          rowKey={(row) => row.secretId}
          list={list}
          cursor={view.cursor}
          onCursor={(cursor) => setView({ cursor })}
          onExport={() => exportCsv('GET /developer/keys', { query }, 'api-keys.csv')}
          empty={
            <EmptyState
              title={t('applications.empty.title')}
              action={
                mayWrite && (
                  <ButtonLink to="/application" search={{ new: '1' }}>
                    {t('applications.add')}
                  </ButtonLink>
                )
              }
            >
              {t('applications.empty.text')}
            </EmptyState>
          }
        />
      </Section>
    </>
  );
}

function useColumns(onRotate: ((key: ApiKey) => void) | undefined): Column<ApiKey>[] {
  const t = useText();
  return [
    {
      key: 'appName',
      title: t('applications.name'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <>
          <bdi>{row.appName}</bdi>
          <span className="cell-note">
            <Mono>{row.appId}</Mono>
          </span>
        </>
      ),
    },
    {
      key: 'state',
      title: t('applications.state'),
      card: 'state',
      cell: (row) => <KeyState row={row} />,
    },
    {
      key: 'hint',
      title: t('applications.secret.app'),
      cell: (row) => <bdi>{t('applications.secret.hint', { hint: row.hint })}</bdi>,
    },
    { key: 'createTime', title: t('developer.keys.age'), cell: (row) => <Age made={row.createTime} /> },
    {
      key: 'lastUsedTime',
      title: t('applications.secret.lastUsed'),
      cell: (row) =>
        row.lastUsedTime ? (
          <DateTime value={row.lastUsedTime} />
        ) : (
          <span className="ink-3">{t('applications.secret.never')}</span>
        ),
    },
    ...(onRotate
      ? [
          {
            key: 'rotate',
            title: t('optOuts.act'),
            fixed: true,
            align: 'end' as const,
            card: 'actions' as const,
            cell: (row: ApiKey) =>
              // A replaced one expires automatically.
              row.expireTime === null && (
                <Button
                  variant="link"
                  size="small"
                  aria-label={t('developer.keys.rotate.of', { name: row.appName })}
                  onClick={() => onRotate(row)}
                >
                  {t('developer.keys.rotate')}
                </Button>
              ),
          },
        ]
      : []),
  ];
}

/** State of its application if that is refused, else of the password itself. */
function KeyState({ row }: { row: ApiKey }) {
  const t = useText();
  if (row.useState === UseState.Disabled)
    return (
      <StatusTag glyph="bar" tone="neutral">
        {t('applications.state.0')}
      </StatusTag>
    );
  if (row.expireTime === null)
    return (
      <StatusTag glyph="tick" tone="primary">
        {t('applications.secret.current')}
      </StatusTag>
    );
  return (
    <StatusTag glyph="clock" tone="warning" note={<DateTime value={row.expireTime} />}>
      {t('applications.secret.until')}
    </StatusTag>
  );
}

/** Since when; a password that old should be replaced. */
function Age({ made }: { made: string }) {
  const t = useText();
  return (
    <>
      <DateTime value={made} />
      <span className="cell-note">
        {Date.now() - Date.parse(made) > yearMs ? t('developer.keys.old') : <RelativeTime value={made} />}
      </span>
    </>
  );
}
