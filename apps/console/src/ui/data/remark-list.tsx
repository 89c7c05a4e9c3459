import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../base/icon.tsx';
import './remark-list.css';

export interface Remark {
  key: string;
  tone: 'danger' | 'warning' | 'success' | 'pending';
  text: ReactNode;
  /** A small button that fixes it. */
  action?: ReactNode;
}

const icons = { danger: CircleAlert, warning: TriangleAlert, success: CircleCheck, pending: CircleDashed } as const;

/** Findings of a check, one line each. `live`: read out as it changes. */
export function RemarkList({
  label,
  remarks,
  live = false,
}: {
  label: string;
  remarks: readonly Remark[];
  live?: boolean;
}) {
  return (
    <ul className="remark-list" aria-label={label} aria-live={live ? 'polite' : undefined}>
      {remarks.map(({ key, tone, text, action }) => (
        <li key={key} className={`is-${tone}`}>
          <Icon of={icons[tone]} size="small" className="icon" />
          <span className="grow">{text}</span>
          {action}
        </li>
      ))}
    </ul>
  );
}
