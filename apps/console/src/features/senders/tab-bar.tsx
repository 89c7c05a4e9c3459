import type { ReactNode } from 'react';

/** Filters of a tab, with the button that adds to its list. */
export function TabBar({ add, children }: { add: ReactNode; children: ReactNode }) {
  return (
    <div className="senders-bar">
      {children}
      {add}
    </div>
  );
}
