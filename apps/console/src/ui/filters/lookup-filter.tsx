import { type KeyboardEvent, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { MenuItem } from '../layers/popover.tsx';
import { type ChoiceOption, FilterChip } from './filters.tsx';
import { SearchInput } from './search-input.tsx';

interface LookupFilterProps {
  label: string;
  /** Name of the search field in it. */
  searchLabel: string;
  value: string | undefined;
  /** What the value is called, for the chip; while it is not known the value itself stands there. */
  shown: string | undefined;
  /** Finds by name; called while the chip is open alone. */
  useOptions: (search: string) => readonly ChoiceOption[] | undefined;
  onChange: (value: string | undefined) => void;
}

/** Narrows a list to one of many, found by name. */
export function LookupFilter({ label, searchLabel, value, shown, useOptions, onChange }: LookupFilterProps) {
  return (
    <FilterChip
      label={label}
      shown={value === undefined ? undefined : (shown ?? value)}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <Lookup
          label={searchLabel}
          value={value}
          useOptions={useOptions}
          onPick={(picked) => {
            onChange(picked);
            close();
          }}
        />
      )}
    </FilterChip>
  );
}

interface LookupProps extends Pick<LookupFilterProps, 'label' | 'value' | 'useOptions'> {
  onPick: (value: string) => void;
}

function Lookup({ label, value, useOptions, onPick }: LookupProps) {
  const t = useText();
  const [search, setSearch] = useState<string>();
  const options = useOptions(search ?? '');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a further way for the keyboard through what is focused by itself.
    <div className="filter-panel" onKeyDown={stepByArrow}>
      <SearchInput label={label} value={search} onChange={setSearch} />
      <div className="lookup-list" aria-busy={options === undefined}>
        {options?.map((option) => (
          <MenuItem key={option.value} chosen={option.value === value} onClick={() => onPick(option.value)}>
            <bdi>{option.label}</bdi>
          </MenuItem>
        ))}
        {options?.length === 0 && <p className="small ink-3">{t('ui.noMatches')}</p>}
      </div>
    </div>
  );
}

/** From the field down into what was found, and up again. */
function stepByArrow(event: KeyboardEvent<HTMLElement>) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.nativeEvent.isComposing) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .lookup-list button')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  event.preventDefault();
  stops[Math.max(0, Math.min(stops.length - 1, at + by))]?.focus();
}
