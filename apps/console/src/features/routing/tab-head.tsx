import { UseState } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { InHeader } from '../../ui/page/header-place.tsx';

interface TabHeadProps {
  /** The search field; without it the tab has no filters but `children`. */
  search?: { label: string; value: string | undefined; onChange: (search: string | undefined) => void };
  onClear?: (() => void) | undefined;
  /** More filters; or their replacement. */
  children?: ReactNode;
  addLabel: string;
  onAdd: () => void;
}

/** The head of each tab: what narrows its list, and in the page's header the one button that adds to it. */
export function TabHead({ search, onClear, children, addLabel, onAdd }: TabHeadProps) {
  return (
    <>
      <FilterBar search={search && <SearchInput {...search} />} onClear={onClear}>
        {children}
      </FilterBar>
      <InHeader place="actions">
        <Button variant="primary" icon={Plus} onClick={onAdd}>
          {addLabel}
        </Button>
      </InHeader>
    </>
  );
}

interface UseStateFilterProps {
  value: string | undefined;
  onChange: (useState: string | undefined) => void;
}

export function UseStateFilter(props: UseStateFilterProps) {
  const t = useText();
  const options = Object.values(UseState).map((n) => ({ value: String(n), label: t(`routing.useState.${n}`) }));
  return <ChoiceFilter label={t('routing.useState')} options={options} {...props} />;
}
