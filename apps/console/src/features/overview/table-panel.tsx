import type { ReactNode } from 'react';
import { classNames } from '../../ui/base/class-names.ts';
import { Panel } from '../../ui/page/page.tsx';

export interface TableHead {
  key: string;
  label: string;
  /** A number: at the end of its cell. */
  end?: boolean;
  /** Omitted if there is little room. */
  wide?: boolean;
}

interface TablePanelProps {
  title: string;
  aside?: ReactNode;
  /** The first is that of the rows' own heads. */
  heads: readonly TableHead[];
  empty: string;
  /** One cell for each head but the first. */
  rows: readonly { key: string; head: ReactNode; cells: readonly ReactNode[] }[];
}

/** A small table in a panel, with a text if it is empty. */
export function TablePanel({ title, aside, heads, empty, rows }: TablePanelProps) {
  const looks = heads.map(({ end, wide }) => classNames(end && 'overview-end', wide && 'overview-wide') || undefined);
  return (
    <Panel title={title} aside={aside}>
      {rows.length === 0 ? (
        <p className="small ink-2">{empty}</p>
      ) : (
        <div className="overview-table">
          <table className="plain-table">
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                {heads.map(({ key, label }, at) => (
                  <th key={key} scope="col" className={looks[at]}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{row.head}</th>
                  {row.cells.map((cell, at) => (
                    <td key={heads[at + 1]?.key} className={looks[at + 1]}>
                      {cell}
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
