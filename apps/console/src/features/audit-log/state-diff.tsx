import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Dash, Mono } from '../../ui/data/text.tsx';
import { diffStates, type FieldChange } from './diff-states.ts';
import { fieldLabel } from './field-labels.ts';
import { valueText } from './value-text.ts';

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
  const formats = useFormats();
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
        {rows.map(({ path, kind, before, after }) => {
          const shown = (value: string) => <bdi>{valueText(t, formats, path, value)}</bdi>;
          return (
            <tr key={path}>
              <th scope="row">{fieldLabel(t, path) ?? <Mono>{path}</Mono>}</th>
              <td data-label={t('audit.before')}>
                {before === null ? <Dash /> : kind === 'same' ? shown(before) : <del>{shown(before)}</del>}
              </td>
              <td data-label={t('audit.after')}>
                {after === null ? <Dash /> : kind === 'same' ? shown(after) : <ins>{shown(after)}</ins>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
