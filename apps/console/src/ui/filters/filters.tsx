import { type LucideIcon, Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Icon } from '../base/icon.tsx';
import { phone, useMedia } from '../base/use-media.ts';
import { MenuItem, Popover } from '../layers/popover.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import './filters.css';

interface FilterBarProps {
  search?: ReactNode;
  /** Chips. */
  children?: ReactNode;
  /** Shown when something is set. */
  onClear?: (() => void) | undefined;
}

/** The line of search field and filter chips above a list; on a phone the chips next to a search field are in a sheet. */
export function FilterBar({ search, children, onClear }: FilterBarProps) {
  const t = useText();
  const isPhone = useMedia(phone);
  return (
    <div className="filter-bar">
      {search}
      {isPhone && search && children ? <FilterSheet isOn={onClear !== undefined}>{children}</FilterSheet> : children}
      {onClear && (
        <Button variant="link" size="small" onClick={onClear}>
          {t('ui.clear')}
        </Button>
      )}
    </div>
  );
}

interface ChipProps {
  label: string;
  /** The current value as text; undefined draws the dashed "add" chip. */
  shown: string | undefined;
  /** Stands for the label while a value is shown. */
  icon?: LucideIcon;
  onClear: () => void;
  children: (close: () => void) => ReactNode;
}

export function FilterChip({ label, shown, icon, onClear, children }: ChipProps) {
  const t = useText();
  const formats = useFormats();
  const on = shown !== undefined;
  const shownIcon = icon ?? (on ? undefined : Plus);
  const text = on ? formats.pair(label, shown) : label;
  return (
    <span className="chip-pair">
      <Popover
        label={label}
        button={{
          size: 'medium',
          className: on ? 'chip is-on' : 'chip',
          label: <span className="clip">{on && icon ? shown : text}</span>,
          ...(shownIcon && { icon: shownIcon }),
          ...(on && icon && { 'aria-label': text, title: text }),
        }}
      >
        {children}
      </Popover>
      {on && (
        <button
          type="button"
          className="chip-clear"
          aria-label={t('ui.clearFilter', { name: label })}
          onClick={onClear}
        >
          <Icon of={X} size="small" />
        </button>
      )}
    </span>
  );
}

export interface ChoiceOption {
  value: string;
  label: string;
  /** A StatusTag or similar instead of plain text. */
  content?: ReactNode;
}

interface ChoiceFilterProps {
  label: string;
  options: readonly ChoiceOption[];
  /** One value, or several joined by commas: as in the address and in the API's query. */
  value: string | undefined;
  multiple?: boolean;
  onChange: (value: string | undefined) => void;
}

/** Narrows a list to one or several of given values. */
export function ChoiceFilter({ label, options, value, multiple = false, onChange }: ChoiceFilterProps) {
  const formats = useFormats();
  const chosen = value?.split(',') ?? [];
  const shown = options.filter((option) => chosen.includes(option.value)).map((option) => option.label);
  const toggle = (picked: string) => {
    const next = options.map((option) => option.value).filter((one) => (one === picked) !== chosen.includes(one));
    onChange(next.length > 0 ? next.join(',') : undefined);
  };
  return (
    <FilterChip
      label={label}
      shown={value === undefined ? undefined : formats.list(shown) || value}
      onClear={() => onChange(undefined)}
    >
      {(close) =>
        multiple
          ? options.map((option) => (
              <label className="choice" key={option.value}>
                <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
                {option.content ?? option.label}
              </label>
            ))
          : options.map((option) => (
              <MenuItem
                key={option.value}
                chosen={option.value === value}
                onClick={() => {
                  onChange(option.value === value ? undefined : option.value);
                  close();
                }}
              >
                {option.content ?? option.label}
              </MenuItem>
            ))
      }
    </FilterChip>
  );
}

interface TextFilterProps {
  label: string;
  value: string | undefined;
  /** The value's label, if it is an id that has a name. */
  shown?: string | undefined;
  onChange: (value: string | undefined) => void;
  /** What to type, below the field. */
  hint?: string;
}

/** Narrows a list by something typed: a phone number, an id. */
export function TextFilter({ label, value, shown, onChange, hint }: TextFilterProps) {
  const t = useText();
  return (
    <FilterChip
      label={label}
      shown={value === undefined ? undefined : (shown ?? value)}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <form
          className="filter-panel"
          onSubmit={(event) => {
            event.preventDefault();
            const typed = new FormData(event.currentTarget).get('value');
            onChange(typeof typed === 'string' ? typed.trim() || undefined : undefined);
            close();
          }}
        >
          <input className="input" name="value" aria-label={label} defaultValue={value} autoComplete="off" />
          {hint && <span className="tiny ink-3">{hint}</span>}
          <Button type="submit" variant="primary" size="small">
            {t('ui.apply')}
          </Button>
        </form>
      )}
    </FilterChip>
  );
}
