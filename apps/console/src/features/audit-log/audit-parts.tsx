import type { AuditEntryView } from '@pahatid/contract';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Bdi, Dash, Mono } from '../../ui/data/text.tsx';

/** A code that has no word yet is shown as it is, rather than nothing. */
export const actionWord = (t: Text, action: string): string => t.maybe(`audit.action.${action}`) ?? action;
export const subjectWord = (t: Text, type: string): string => t.maybe(`audit.type.${type}`) ?? type;

export function Actor({ entry }: { entry: AuditEntryView }) {
  const t = useText();
  const { kind, account, name, role } = entry.actor;
  const note = role === null ? t(`audit.kind.${kind}`) : t(`shell.role.${role}`);
  if (account === null) return t(`audit.kind.${kind}`);
  return (
    <span className="cell-name" title={name ?? account}>
      <Bdi>{name ?? account}</Bdi>
      <span className="cell-note">
        {name !== null && name !== account && (
          <>
            <Bdi>{account}</Bdi>
            {' · '}
          </>
        )}
        {note}
      </span>
    </span>
  );
}

export function Subject({ entry }: { entry: AuditEntryView }) {
  const t = useText();
  const { subjectType, subjectName, subjectId } = entry;
  // One of many: an export of the list.
  const shown = subjectName ?? (subjectId === '*' || subjectId === '-' ? null : subjectId);
  return (
    <span>
      {subjectWord(t, subjectType)}
      {shown !== null && (
        <span className="cell-note clip">{subjectName === null ? <Mono>{shown}</Mono> : <Bdi>{shown}</Bdi>}</span>
      )}
    </span>
  );
}

export function Address({ ip }: { ip: string | null }) {
  if (ip === null) return <Dash />;
  return (
    <span className="cell-name audit-address" title={ip}>
      <Mono>{ip}</Mono>
    </span>
  );
}
