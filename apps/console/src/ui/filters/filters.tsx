import { CalendarDays, Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useZone } from '../../lib/format/zone.ts';
import { dayStart, instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';
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
  icon?: typeof CalendarDays;
  onClear: () => void;
  children: (close: () => void) => ReactNode;
}

export function FilterChip({ label, shown, icon, onClear, children }: ChipProps) {
  const t = useText();
  const formats = useFormats();
  const on = shown !== undefined;
  const shownIcon = icon ?? (on ? undefined : Plus);
  return (
    <span className="chip-pair">
      <Popover
        label={label}
        button={{
          size: 'medium',
          className: on ? 'chip is-on' : 'chip',
          label: <span className="clip">{on ? formats.pair(label, shown) : label}</span>,
          ...(shownIcon && { icon: shownIcon }),
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

interface DateRangeFilterProps {
  label: string;
  /** Instants in UTC. */
  from: string | undefined;
  to: string | undefined;
  onChange: (from: string | undefined, to: string | undefined) => void;
}

/** Presets of specification §9, with today: days back from today's start. */
const presets = [
  { key: 'ui.range.today', days: 0 },
  { key: 'ui.range.7days', days: 6 },
  { key: 'ui.range.14days', days: 13 },
  { key: 'ui.range.month', days: 29 },
  { key: 'ui.range.3months', days: 89 },
] as const;

/** Narrows a list to a span of time in the viewer's zone, by preset or by hand. */
export function DateRangeFilter({ label, from, to, onChange }: DateRangeFilterProps) {
  const t = useText();
  const formats = useFormats();
  const zone = useZone();
  const shown =
    from === undefined && to === undefined
      ? undefined
      : `${from ? formats.date(from, 'short') : '…'} – ${to ? formats.date(to, 'short') : t('ui.range.now')}`;
  return (
    <FilterChip label={label} shown={shown} icon={CalendarDays} onClear={() => onChange(undefined, undefined)}>
      {(close) => (
        <div className="filter-panel">
          <div>
            {presets.map(({ key, days }) => (
              <MenuItem
                key={key}
                onClick={() => {
                  onChange(dayStart(zone, days), undefined);
                  close();
                }}
              >
                {t(key)}
              </MenuItem>
            ))}
          </div>
          <DateRangeFields
            from={from}
            to={to}
            zone={zone}
            onApply={(nextFrom, nextTo) => {
              onChange(nextFrom, nextTo);
              close();
            }}
          />
        </div>
      )}
    </FilterChip>
  );
}

interface DateRangeFieldsProps {
  from: string | undefined;
  to: string | undefined;
  zone: string;
  onApply: (from: string | undefined, to: string | undefined) => void;
}

function DateRangeFields({ from, to, zone, onApply }: DateRangeFieldsProps) {
  const t = useText();
  const formats = useFormats();
  const [start, setStart] = useState(from ? instantToWall(from, zone).slice(0, 16) : '');
  const [end, setEnd] = useState(to ? instantToWall(to, zone).slice(0, 16) : '');
  const backwards = start !== '' && end !== '' && end <= start;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!backwards)
          onApply(start ? wallToInstant(start, zone) : undefined, end ? wallToInstant(end, zone) : undefined);
      }}
    >
      <label className="stack small">
        {t('ui.range.from')}
        <input
          className="input"
          type="datetime-local"
          value={start}
          onChange={(event) => setStart(event.target.value)}
        />
      </label>
      <label className="stack small">
        {t('ui.range.to')}
        <input
          className="input"
          type="datetime-local"
          value={end}
          aria-invalid={backwards}
          onChange={(event) => setEnd(event.target.value)}
        />
      </label>
      <span className={backwards ? 'tiny is-danger' : 'tiny ink-3'} role={backwards ? 'alert' : undefined}>
        {backwards ? t('ui.range.backwards') : t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset() })}
      </span>
      <Button type="submit" variant="primary" size="small">
        {t('ui.apply')}
      </Button>
    </form>
  );
}
