import { Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Icon } from '../base/icon.tsx';
import './filters.css';

interface SearchInputProps {
  /** Accessible name, and the placeholder: state what can be searched ("Task name or ID"). */
  label: string;
  value: string | undefined;
  /** Called 300 ms after the last letter, and immediately on Enter; undefined when emptied. */
  onChange: (value: string | undefined) => void;
}

const quietMs = 300;

/** A search field for lists. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  const t = useText();
  const [typed, setTyped] = useState(value ?? '');
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    if ((value ?? '') !== typed.trim()) setTyped(value ?? '');
  }
  const commit = useEffectEvent((text: string) => {
    const next = text.trim() || undefined;
    if (next !== value) onChange(next);
  });
  useEffect(() => {
    const timer = setTimeout(() => commit(typed), quietMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search className="search-input">
      <Icon of={Search} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && onChange(typed.trim() || undefined)}
      />
      {typed !== '' && (
        <Button variant="quiet" size="small" icon={X} aria-label={t('ui.clear')} onClick={() => setTyped('')} />
      )}
    </search>
  );
}
