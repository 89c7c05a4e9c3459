import type { ReactNode } from 'react';
import { classNames } from '../../ui/base/class-names.ts';

export interface ColumnHead {
  title: string;
  /** Numbers are aligned to the end. */
  align?: 'end';
  /** Read aloud only: a column of buttons. */
  isHidden?: boolean;
}

interface CustomerTableProps {
  /** Read aloud only. */
  caption: string;
  className?: string;
  columns: readonly ColumnHead[];
  /** The rows. */
  children: ReactNode;
}

/** A short table in a customer's drawer. */
export function CustomerTable({ caption, className, columns, children }: CustomerTableProps) {
  return (
    <div className="customers-scroll">
      <table className={classNames('plain-table', className)}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, align, isHidden }) => (
              <th key={title} scope="col" {...(align && { className: 'align-end' })}>
                {isHidden ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
