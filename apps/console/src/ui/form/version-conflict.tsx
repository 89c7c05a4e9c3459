import { type ReactNode, useId, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { DateTime } from '../data/text.tsx';
import { Dialog } from '../layers/dialog.tsx';
import './version-conflict.css';

type Side = 'mine' | 'theirs';

interface VersionConflictProps<V> {
  /** What the form was filled from. */
  base: V;
  mine: V;
  theirs: V;
  labels: Partial<Record<Extract<keyof V, string>, string>>;
  show: ((name: Extract<keyof V, string>, values: V) => ReactNode) | undefined;
  /** Empty: staff. */
  editedBy: string;
  editedTime: string;
  /** The form continues with these values, and saves them immediately or not. */
  onSettle: (values: V, isSaved: boolean) => void;
  onClose: () => void;
}

/**
 * Another user saved what this form was about to save: shows each field that differs, in both versions. A field that
 * only one of the two changed starts with that change.
 */
export function VersionConflict<V extends object>(props: VersionConflictProps<V>) {
  const { base, mine, theirs, labels, show, editedBy, editedTime, onSettle, onClose } = props;
  type Name = Extract<keyof V, string>;
  const t = useText();
  const isSame = (name: Name, one: V, other: V) => JSON.stringify(one[name]) === JSON.stringify(other[name]);
  const fields = (Object.keys(mine) as Name[]).filter((name) => !isSame(name, mine, theirs));
  const shown = fields.filter((name) => labels[name] !== undefined);
  const [sides, setSides] = useState(
    () =>
      Object.fromEntries(fields.map((name) => [name, isSame(name, mine, base) ? 'theirs' : 'mine'])) as Record<
        Name,
        Side
      >,
  );
  const chosen: V = { ...theirs };
  for (const name of fields) if (sides[name] === 'mine') chosen[name] = mine[name];
  const allMine = shown.every((name) => sides[name] === 'mine');
  const shownValue = (name: Name, values: V): ReactNode => {
    const value = show?.(name, values) ?? String(values[name] ?? '');
    return value === '' ? <span className="ink-3">{t('ui.conflict.empty')}</span> : <bdi>{value}</bdi>;
  };
  return (
    <Dialog
      title={t('ui.conflict.title')}
      width="wide"
      role="alertdialog"
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.discard.stay')}</Button>
          <span className="grow" />
          <Button onClick={() => onSettle(theirs, false)}>{t('ui.conflict.theirs.keep')}</Button>
          <Button variant="primary" onClick={() => onSettle(chosen, true)}>
            {t(allMine ? 'ui.conflict.overwrite' : 'ui.conflict.save')}
          </Button>
        </>
      }
    >
      <p>
        {editedBy === '' ? t('ui.conflict.byStaff') : t('ui.conflict.by', { name: editedBy })}{' '}
        <DateTime value={editedTime} />
      </p>
      {shown.length === 0 && <p>{t('ui.conflict.same')}</p>}
      {shown.map((name) => (
        <Choice
          key={name}
          label={labels[name] ?? ''}
          side={sides[name]}
          mine={shownValue(name, mine)}
          theirs={shownValue(name, theirs)}
          onChange={(side) => setSides({ ...sides, [name]: side })}
        />
      ))}
    </Dialog>
  );
}

interface ChoiceProps {
  label: string;
  side: Side;
  mine: ReactNode;
  theirs: ReactNode;
  onChange: (side: Side) => void;
}

function Choice({ label, side, mine, theirs, onChange }: ChoiceProps) {
  const t = useText();
  const name = useId();
  return (
    <fieldset className="conflict-field">
      <legend>{label}</legend>
      {(['theirs', 'mine'] as const).map((each) => (
        <label className="conflict-side" key={each}>
          <input type="radio" name={name} checked={side === each} onChange={() => onChange(each)} />
          <span className="conflict-whose">{t(`ui.conflict.${each}`)}</span>
          <span className="conflict-value">{each === 'mine' ? mine : theirs}</span>
        </label>
      ))}
    </fieldset>
  );
}
