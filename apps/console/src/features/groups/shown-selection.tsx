import type { GroupCondition, GroupDetail } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { useFieldText } from './condition-row.tsx';
import { SelectionCount } from './selection-count.tsx';

/** The groups and conditions of a dynamic group, and how many members fit now. */
export function ShownSelection({ group, mayCount }: { group: GroupDetail; mayCount: boolean }) {
  const t = useText();
  const { list } = useFormats();
  const { selection, sources, countTime } = group;
  if (selection === null) return null;
  return (
    <>
      {mayCount && <SelectionCount selection={selection} />}
      <dl className="groups-shown">
        <dt>{t('groups.dynamic.sources')}</dt>
        <dd>{list(sources.map(({ groupName }) => groupName))}</dd>
        <dt>{t('groups.dynamic.match')}</dt>
        <dd>
          <p>{t(`groups.dynamic.match.${selection.match}`)}</p>
          <ul>
            {selection.conditions.map((condition) => (
              <li key={JSON.stringify(condition)}>
                <ShownCondition condition={condition} />
              </li>
            ))}
          </ul>
        </dd>
        {countTime !== null && (
          <>
            <dt>{t('groups.dynamic.counted')}</dt>
            <dd>
              <DateTime value={countTime} />
            </dd>
          </>
        )}
      </dl>
      <p className="small ink-3">{t('groups.dynamic.later')}</p>
    </>
  );
}

function ShownCondition({ condition }: { condition: GroupCondition }) {
  const t = useText();
  const { list } = useFormats();
  const fieldText = useFieldText();
  const operator = <span className="ink-2">{t(`groups.dynamic.${condition.operator}`)}</span>;
  if (condition.field === 'value')
    return (
      <>
        <bdi className="strong">{condition.name}</bdi> {operator} <bdi>{condition.value}</bdi>
      </>
    );
  const wanted =
    condition.field === 'rangeHolder'
      ? list(condition.holders)
      : t('groups.dynamic.daysCount', { count: condition.days });
  return (
    <>
      <span className="strong">{fieldText(condition.field)}</span> {operator} {wanted}
    </>
  );
}
