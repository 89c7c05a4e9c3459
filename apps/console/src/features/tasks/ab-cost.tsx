import type { SmsType } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { CostReceipt } from '../../ui/data/pictures.tsx';
import { Bdi, Money } from '../../ui/data/text.tsx';
import { durationOf, VariantMark } from './ab-parts.tsx';
import { type AbValues, countParts, nameOfVariant } from './ab-values.ts';
import { useEstimate } from './use-estimate.ts';
import type { TaskParts } from './use-task-parts.ts';

interface AbCostProps {
  values: AbValues;
  templateId: string | null;
  smsType: SmsType | null;
  parts: TaskParts;
}

/** In which order it is sent, to how many, and what is reserved: for the rest as much as the most expensive text costs. */
export function AbCost({ values, templateId, smsType, parts }: AbCostProps) {
  const t = useText();
  const formats = useFormats();
  const [b = null, c = null, d = null] = values.templateIds;
  const { file, mapping, templates } = parts;
  const of = (id: string | null) => ({
    templateId: id,
    content: templates.items.find((each) => each.templateId === id)?.content ?? null,
    file,
    mapping,
    smsType,
  });
  const estimates = [useEstimate(of(templateId)), useEstimate(of(b)), useEstimate(of(c)), useEstimate(of(d))].slice(
    0,
    values.shares.length,
  );
  const recipients = parts.estimate.recipients ?? 0;
  if (recipients === 0) return null;
  const { parts: counts, rest } = countParts(recipients, values.shares);
  const each = estimates.map(({ figures }) =>
    figures && figures.recipients > 0 ? figures.cost / figures.recipients : null,
  );
  const known = each.filter((cost) => cost !== null);
  const isKnown = known.length === each.length && parts.groups.chosen.length === 0;
  const costs = counts.map((count, index) => count * (each[index] ?? 0));
  const restCost = rest * Math.max(0, ...known);
  const total = costs.reduce((sum, cost) => sum + cost, restCost);
  const line = (count: number, cost: number) => (
    <Bdi>
      {formats.number(count)}
      {isKnown && ` · ${formats.money(Math.round(cost))}`}
    </Bdi>
  );
  return (
    <CostReceipt
      lines={[
        ...counts.map((count, index) => ({
          key: nameOfVariant(index),
          label: (
            <span className="row">
              <VariantMark index={index} />
            </span>
          ),
          value: line(count, costs[index] ?? 0),
        })),
        { key: 'wait', label: t('abTests.wait'), value: durationOf(t, values.waitMinutes) },
        { key: 'rest', label: t('abTests.winner'), value: line(rest, restCost) },
      ]}
      totalLabel={t('abTests.reserved')}
      total={isKnown ? <Money value={Math.round(total)} /> : '–'}
      note={isKnown ? null : t('tasks.cost.afterCheck')}
    />
  );
}
