import type { ApiScope } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Mono } from '../../ui/data/text.tsx';
import { Checkbox } from '../../ui/form/inputs.tsx';
import { scopeLabels } from './scope-labels.ts';

interface ScopeChoiceProps {
  /** Offered ones. */
  scopes: readonly ApiScope[];
  value: readonly ApiScope[];
  onChange: (value: ApiScope[]) => void;
}

/** Scopes of a key, each with the name of the screen where people do the same. */
export function ScopeChoice({ scopes, value, onChange }: ScopeChoiceProps) {
  const t = useText();
  return (
    <div className="developer-scopes">
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          checked={value.includes(scope)}
          onChange={(isChosen) => onChange(scopes.filter((each) => (each === scope ? isChosen : value.includes(each))))}
        >
          <span className="developer-scope">
            {t(scopeLabels[scope])}
            <Mono>{scope}</Mono>
          </span>
        </Checkbox>
      ))}
    </div>
  );
}
