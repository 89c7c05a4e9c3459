import { useText } from '../../lib/i18n/use-text.tsx';
import { Bdi, Dash, Mono } from '../../ui/data/text.tsx';
import { diffStates, type FieldChange } from './diff-states.ts';

/** Before and after side by side, field by field; what stayed the same is folded away. */
export function StateDiff({ before, after }: { before: unknown; after: unknown }) {
  const t = useText();
  const all = diffStates(before, after);
  const changes = all.filter(({ kind }) => kind !== 'same');
  const same = all.filter(({ kind }) => kind === 'same');
  if (all.length === 0) return <p className="ink-2">{t('audit.changes.none')}</p>;
  return (
    <>
      {changes.length > 0 && <DiffTable rows={changes} />}
      {same.length > 0 && (
        <details className="audit-same">
          <summary>{t('audit.same', { count: same.length })}</summary>
          <DiffTable rows={same} />
        </details>
      )}
    </>
  );
}

function DiffTable({ rows }: { rows: readonly FieldChange[] }) {
  const t = useText();
  return (
    <table className="audit-diff">
      <caption className="visually-hidden">{t('audit.changes')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          <th scope="col">{t('audit.before')}</th>
          <th scope="col">{t('audit.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, kind, before, after }) => (
          <tr key={path}>
            <th scope="row">{t.maybe(`audit.field.${path}`) ?? <Mono>{path}</Mono>}</th>
            <td data-label={t('audit.before')}>
              {before === null ? <Dash /> : kind === 'same' ? <Bdi>{before}</Bdi> : <del>{before}</del>}
            </td>
            <td data-label={t('audit.after')}>
              {after === null ? <Dash /> : kind === 'same' ? <Bdi>{after}</Bdi> : <ins>{after}</ins>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
