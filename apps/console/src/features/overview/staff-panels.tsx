import type { Overview } from '@pahatid/contract';
import type { ReactNode } from 'react';
import { readBindError } from '../../lib/format/bind-error.ts';
import { type Formats, useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Count, Dash, Mono, RelativeTime } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { shareOf } from './shares.ts';
import { bindsAnchor } from './waiting-words.tsx';

type Staff = NonNullable<Overview['staff']>;

/** How the house runs: queues and binds as they are now, customers and carriers of the range. */
export function StaffPanels({ staff }: { staff: Staff }) {
  return (
    <div className="overview-staff">
      <Queues queues={staff.queues} />
      <Binds binds={staff.binds} />
      <Customers customers={staff.customers} />
      <Carriers carriers={staff.carriers} />
    </div>
  );
}

interface TablePanelProps {
  title: string;
  /** Headings; the first column's are words, the others' are numbers unless `words` says otherwise. */
  heads: readonly string[];
  words?: boolean;
  empty: string;
  rows: readonly { key: string; head: ReactNode; cells: readonly { key: string; content: ReactNode }[] }[];
}

function TablePanel({ title, heads, words = false, empty, rows }: TablePanelProps) {
  const end = words ? undefined : 'overview-end';
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <p className="small ink-2">{empty}</p>
      ) : (
        <div className="overview-table">
          <table className="plain-table">
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                {heads.map((head, index) => (
                  <th key={head} scope="col" className={index > 0 ? end : undefined}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{row.head}</th>
                  {row.cells.map((cell) => (
                    <td key={cell.key} className={end}>
                      {cell.content}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function Queues({ queues }: { queues: Staff['queues'] }) {
  const t = useText();
  return (
    <TablePanel
      title={t('overview.queues')}
      heads={[t('overview.lane'), t('overview.messages'), t('overview.batches'), t('overview.oldest')]}
      empty={t('overview.queues.none')}
      rows={queues.map((queue) => ({
        key: String(queue.lane),
        head: t.maybe(`overview.lane.${queue.lane}`) ?? queue.lane,
        cells: [
          { key: 'messages', content: <Count value={queue.messages} /> },
          { key: 'batches', content: <Count value={queue.batches} /> },
          { key: 'oldest', content: <RelativeTime value={queue.oldest} /> },
        ],
      }))}
    />
  );
}

function Binds({ binds }: { binds: Staff['binds'] }) {
  const t = useText();
  return (
    <div id={bindsAnchor} className="overview-anchor">
      <TablePanel
        words
        title={t('overview.binds')}
        heads={[t('overview.supplier'), t('overview.bindState')]}
        empty={t('overview.binds.none')}
        rows={binds.map((bind) => ({
          key: bind.supplierAccount,
          head: (
            <>
              <Mono>{bind.supplierAccount}</Mono>
              <span className="overview-note">{bind.carrier ?? t('overview.carrier.any')}</span>
            </>
          ),
          cells: [{ key: 'state', content: <BindState bind={bind} /> }],
        }))}
      />
    </div>
  );
}

function BindState({ bind }: { bind: Staff['binds'][number] }) {
  const t = useText();
  const formats = useFormats();
  const { bound, wanted, lastError } = bind;
  const counts = { bound: formats.number(bound), wanted: formats.number(wanted) };
  const reason = lastError && readBindError(lastError);
  const problem = lastError && (reason ? t(`overview.bind.reason.${reason}`) : lastError);
  const note = problem ? { note: <span title={lastError}>{problem}</span> } : {};
  if (bound >= wanted)
    return (
      <StatusTag glyph="tick" tone="primary" {...note}>
        {t('overview.bind.up', counts)}
      </StatusTag>
    );
  return bound > 0 ? (
    <StatusTag glyph="low" tone="warning" {...note}>
      {t('overview.bind.some', counts)}
    </StatusTag>
  ) : (
    <StatusTag glyph="failed" tone="danger" {...note}>
      {t('overview.bind.down', counts)}
    </StatusTag>
  );
}

const percentOf = (part: number, whole: number, formats: Formats): ReactNode => {
  const share = shareOf(part, whole);
  return share === null ? <Dash /> : <bdi dir="ltr">{formats.percent(share)}</bdi>;
};

function Customers({ customers }: { customers: Staff['customers'] }) {
  const t = useText();
  return (
    <TablePanel
      title={t('overview.customers')}
      heads={[t('overview.customer'), t('overview.messages'), t('overview.trend.delivered')]}
      empty={t('overview.customers.none')}
      rows={customers.map((customer) => ({
        key: customer.customerId,
        head: <bdi>{customer.operator}</bdi>,
        cells: [
          { key: 'messages', content: <Count value={customer.messages} /> },
          { key: 'delivered', content: <Count value={customer.delivered} /> },
        ],
      }))}
    />
  );
}

function Carriers({ carriers }: { carriers: Staff['carriers'] }) {
  const t = useText();
  const formats = useFormats();
  return (
    <TablePanel
      title={t('overview.carriers')}
      heads={[
        t('overview.carrier'),
        t('overview.messages'),
        t('overview.carrier.accepted'),
        t('overview.trend.delivered'),
      ]}
      empty={t('overview.carriers.none')}
      rows={carriers.map((carrier) => ({
        key: carrier.carrier ?? '',
        head: carrier.carrier ?? t('overview.carrier.none'),
        cells: [
          { key: 'messages', content: <Count value={carrier.messages} /> },
          { key: 'accepted', content: <Count value={carrier.accepted} /> },
          {
            key: 'delivered',
            content: (
              <>
                <Count value={carrier.delivered} />
                <span className="overview-note">{percentOf(carrier.delivered, carrier.accepted, formats)}</span>
              </>
            ),
          },
        ],
      }))}
    />
  );
}
