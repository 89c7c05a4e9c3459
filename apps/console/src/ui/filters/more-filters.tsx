import { Plus } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { MenuItem, Popover } from '../layers/popover.tsx';

interface SeldomFilter {
  key: string;
  label: string;
  /** Whether it narrows the list now: then its chip is shown without being asked for. */
  isSet: boolean;
  /** Its chip. */
  filter: ReactNode;
}

/** Rarely used filters: behind one chip, until they are set or selected there; a selected one opens automatically. */
export function MoreFilters({ filters }: { filters: readonly SeldomFilter[] }) {
  const t = useText();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const wanted = useRef<HTMLSpanElement>(null);
  const last = picked.at(-1);
  useEffect(() => {
    if (last !== undefined) wanted.current?.querySelector('button')?.click();
  }, [last]);
  const isShown = ({ key, isSet }: SeldomFilter) => isSet || picked.includes(key);
  const hidden = filters.filter((one) => !isShown(one));
  return (
    <>
      {filters.filter(isShown).map(({ key, filter }) =>
        key === last ? (
          <span className="filter-wanted" ref={wanted} key={key}>
            {filter}
          </span>
        ) : (
          <Fragment key={key}>{filter}</Fragment>
        ),
      )}
      {hidden.length > 0 && (
        <Popover label={t('ui.moreFilters')} button={{ icon: Plus, className: 'chip', label: t('ui.moreFilters') }}>
          {(close) =>
            hidden.map(({ key, label }) => (
              <MenuItem
                key={key}
                onClick={() => {
                  close();
                  setPicked([...picked, key]);
                }}
              >
                {label}
              </MenuItem>
            ))
          }
        </Popover>
      )}
    </>
  );
}
