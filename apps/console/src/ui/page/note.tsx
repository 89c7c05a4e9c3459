import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../base/class-names.ts';
import { Icon } from '../base/icon.tsx';
import './note.css';

const noteIcons: Record<string, LucideIcon> = {
  info: Info,
  warning: TriangleAlert,
  danger: CircleAlert,
  success: CircleCheck,
  plain: Info,
};

interface NoteProps {
  tone?: 'plain' | 'info' | 'warning' | 'danger' | 'success';
  icon?: LucideIcon;
  action?: ReactNode;
  children: ReactNode;
}

/** A note in a box. A danger is read out immediately. */
export function Note({ tone = 'plain', icon, action, children }: NoteProps) {
  return (
    <div
      className={classNames(
        'note',
        tone !== 'plain' && `is-${tone}`,
        action !== undefined && action !== false && 'has-action',
      )}
      role={tone === 'danger' ? 'alert' : undefined}
    >
      <Icon of={icon ?? noteIcons[tone] ?? Info} />
      <div className="body">{children}</div>
      {action}
    </div>
  );
}
