import type { AbRule, SmsType } from '@pahatid/contract';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { NumberInput, OptionCards } from '../../ui/form/inputs.tsx';
import { Select, type SelectOption } from '../../ui/form/select.tsx';
import { AbCost } from './ab-cost.tsx';
import { AbPanes } from './ab-panes.tsx';
import { durationOf, VariantMark } from './ab-parts.tsx';
import {
  AB_PANES,
  AB_SHARES,
  AB_VARIANTS,
  AB_WAITS,
  type AbValues,
  countParts,
  mostShare,
  nameOfVariant,
  withoutVariant,
  withShare,
  withVariant,
} from './ab-values.ts';
import type { TaskParts } from './use-task-parts.ts';
import './ab-tests.css';

const rules: readonly AbRule[] = ['clicks', 'delivered', 'manual'];
const ask = -1;

interface AbEditorProps {
  values: AbValues;
  templateId: string | null;
  smsType: SmsType | null;
  parts: TaskParts;
  options: readonly SelectOption<string>[];
  /** What is wrong with the texts. */
  error: string | undefined;
  onChange: (values: AbValues) => void;
}

/** The texts that are tried, on which shares, and how the winner is found. */
export default function AbEditor(props: AbEditorProps) {
  const { values, parts, onChange } = props;
  const t = useText();
  return (
    <div className="ab-editor">
      <Texts {...props} />
      <Shares values={values} recipients={parts.estimate.recipients ?? 0} onChange={onChange} />
      <Field group label={t('abTests.winner')}>
        <OptionCards
          value={values.rule}
          onChange={(rule) => onChange({ ...values, rule })}
          options={rules.map((rule) => ({
            value: rule,
            title: t(`abTests.rule.${rule}`),
            note: t(`abTests.rule.${rule}.note`),
          }))}
        />
      </Field>
      <Decision values={values} onChange={onChange} />
      <AbCost {...props} />
    </div>
  );
}

function Texts({ values, parts, templateId, options, error, onChange }: AbEditorProps) {
  const t = useText();
  const setTemplate = (index: number, id: string | null) =>
    onChange({ ...values, templateIds: values.templateIds.map((each, at) => (at === index ? id : each)) });
  const contentOf = (id: string | null): string | null =>
    parts.templates.items.find((each) => each.templateId === id)?.content ?? null;
  const canAdd = values.shares.length < AB_VARIANTS.most && mostShare(values.shares, -1) >= AB_SHARES.least;
  return (
    <div className="stack">
      <div className="ab-texts">
        <TextCard index={0} content={parts.content} name={<strong>{nameOfTemplate(parts, templateId)}</strong>} />
        {values.templateIds.map((id, index) => (
          <TextCard
            key={nameOfVariant(index + 1)}
            index={index + 1}
            content={contentOf(id)}
            name={
              <Field
                className="tasks-bare grow"
                label={`${t('tasks.template')} ${nameOfVariant(index + 1)}`}
                error={index === values.templateIds.length - 1 ? error : undefined}
              >
                <Select value={id} options={[...options]} onChange={(next) => setTemplate(index, next)} />
              </Field>
            }
            {...(values.shares.length > AB_VARIANTS.least && {
              onRemove: () => onChange(withoutVariant(values, index + 1)),
            })}
          />
        ))}
      </div>
      {canAdd && (
        <div>
          <Button size="small" icon={Plus} onClick={() => onChange(withVariant(values))}>
            {t('abTests.add')}
          </Button>
        </div>
      )}
    </div>
  );
}

const nameOfTemplate = (parts: TaskParts, id: string | null): ReactNode =>
  parts.templates.items.find((each) => each.templateId === id)?.templateName ?? '–';

interface TextCardProps {
  index: number;
  content: string | null;
  name: ReactNode;
  onRemove?: () => void;
}

function TextCard({ index, content, name, onRemove }: TextCardProps) {
  const t = useText();
  return (
    <div className="ab-text">
      <div className="ab-text-head">
        <VariantMark index={index} />
        {name}
        {onRemove && (
          <Button
            variant="quiet"
            size="small"
            icon={X}
            aria-label={t('abTests.remove', { name: nameOfVariant(index) })}
            onClick={onRemove}
          />
        )}
      </div>
      <p className="small ink-2" dir="auto">
        {content ?? '–'}
      </p>
    </div>
  );
}

interface PartProps {
  values: AbValues;
  onChange: (values: AbValues) => void;
}

function Shares({ values, recipients, onChange }: PartProps & { recipients: number }) {
  const t = useText();
  const formats = useFormats();
  const { parts, rest } = countParts(recipients, values.shares);
  const restShare = 100 - values.shares.reduce((sum, share) => sum + share, 0);
  const setShare = (index: number, share: number) => onChange(withShare(values, index, share));
  return (
    <section className="stack" aria-label={t('abTests.share')}>
      <p>
        <strong className="small">{t('abTests.share')}</strong>{' '}
        <span className="tiny ink-3">
          {t('abTests.share.hint', { count: Math.round(recipients / AB_PANES), percent: formats.percent(0.02, 0) })}
        </span>
      </p>
      <AbPanes shares={values.shares} onShare={setShare} />
      <div className="ab-shares">
        {values.shares.map((share, index) => (
          <div className="row" key={nameOfVariant(index)}>
            <VariantMark index={index} />
            <Field className="tasks-bare" label={`${t('abTests.share')} ${nameOfVariant(index)}`}>
              <NumberInput
                className="ab-share"
                min={AB_SHARES.least}
                max={mostShare(values.shares, index)}
                value={share}
                onChange={(next) => next !== null && setShare(index, next)}
              />
            </Field>
            <span className="small ink-3">
              % · <Bdi>{formats.number(parts[index] ?? 0)}</Bdi>
            </span>
          </div>
        ))}
        <div className="row">
          <i className="ab-rest" aria-hidden="true" />
          <span className="small">
            <strong>
              <Bdi>{formats.percent(restShare / 100, 0)}</Bdi>
            </strong>{' '}
            <span className="ink-3">{t('abTests.rest', { count: rest })}</span>
          </span>
        </div>
      </div>
    </section>
  );
}

function Decision({ values, onChange }: PartProps) {
  const t = useText();
  const isManual = values.rule === 'manual';
  const waits = AB_WAITS.includes(values.waitMinutes as (typeof AB_WAITS)[number])
    ? AB_WAITS
    : [...AB_WAITS, values.waitMinutes].sort((a, b) => a - b);
  return (
    <div className="form-grid">
      <Field label={t('abTests.wait')} hint={t('abTests.wait.hint')}>
        <Select
          value={values.waitMinutes}
          options={waits.map((minutes) => ({ value: minutes, label: durationOf(t, minutes) }))}
          onChange={(next) => onChange({ ...values, waitMinutes: next ?? values.waitMinutes })}
        />
      </Field>
      {!isManual && (
        <Field label={t('abTests.fallback')}>
          <Select
            value={values.fallback ?? ask}
            options={[
              ...values.shares.map((_, index) => ({
                value: index,
                label: t('abTests.send', { name: nameOfVariant(index) }),
              })),
              { value: ask, label: t('abTests.ask') },
            ]}
            onChange={(next) => onChange({ ...values, fallback: next === ask ? null : next })}
          />
        </Field>
      )}
    </div>
  );
}
