import type { AuditEntryView } from '@pahatid/contract';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Bdi, Dash, Mono } from '../../ui/data/text.tsx';
import { listLabels } from './audit-codes.ts';

/** A code without a label is shown as it is, rather than nothing. */
export const actionWord = (t: Text, action: string): string => t.maybe(`audit.action.${action}`) ?? action;
export const subjectWord = (t: Text, type: string): string => {
  const list = listLabels[type];
  return t.maybe(`audit.type.${type}`) ?? (list === undefined ? type : t(list));
};

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

/** Whether an id has no meaning for a user; all others are names of a kind: a number range, a day, an application. */
const isBare = (id: string): boolean => id.length < 2 || /^[\da-f-]{32,}$/i.test(id);

/** The actor, action and subject in one line, and the actor's details in a second. */
export function Sentence({ entry }: { entry: AuditEntryView }) {
  const t = useText();
  const { actor, action, subjectType, subjectName, subjectId } = entry;
  const who = actor.name ?? actor.account;
  // A sign-in acts on the user's own session.
  const isOwn = actor.userId !== null && actor.userId === subjectId;
  const name = isOwn ? null : (subjectName ?? (isBare(subjectId) ? null : subjectId));
  const kind = t(`audit.kind.${actor.kind}`);
  const account = actor.account === who ? null : actor.account;
  const role = actor.role === null ? (who === null ? null : kind) : t(`shell.role.${actor.role}`);
  return (
    <span className="audit-sentence">
      <span className="clip">
        <Bdi>{who ?? kind}</Bdi>
        {' · '}
        <span className="medium">{actionWord(t, action)}</span>
        {' · '}
        {subjectWord(t, subjectType)}
        {name !== null && (
          <>
            {' '}
            <Bdi>{name}</Bdi>
          </>
        )}
      </span>
      {(account !== null || role !== null) && (
        <span className="cell-note clip">
          {account !== null && <Bdi>{account}</Bdi>}
          {account !== null && role !== null && ' · '}
          {role}
        </span>
      )}
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
    <span className="clip audit-address" title={ip}>
      <Mono>{ip}</Mono>
    </span>
  );
}
