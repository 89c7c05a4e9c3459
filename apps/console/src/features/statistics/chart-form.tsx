import {
  type Chart,
  chartTypes,
  type DatePreset,
  datePresets,
  staffDimensions,
  statisticsDimensions,
  statisticsMetrics,
} from '@pahatid/contract';
import { useRef } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useSession } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { Checkbox, OptionCards, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { ChartPreview } from './chart-preview.tsx';
import { longestName, proposeName } from './propose-name.ts';
import { type ChartView, mostDimensions } from './view.ts';

interface ChartFormProps {
  /** The one that is changed; undefined adds one. */
  chart: Chart | undefined;
  /** The current view: starting point of a new chart; its filters and range are stored with it. */
  view: ChartView;
  onDone: (chart: Chart) => void;
  onClose: () => void;
}

type ChartFields = ChartView & { tabName: string };

const asShown = 'asShown';
type Period = DatePreset | typeof asShown;

interface FormValues extends Pick<ChartView, 'chartType' | 'selectedMetrics' | 'dimensions'> {
  /** Null until it is typed: a proposal follows what is chosen. */
  tabName: string | null;
  period: Period;
  unit: '0' | '1' | '2';
}

const toggled = <T extends string>(all: readonly T[], chosen: readonly T[], each: T): T[] =>
  all.filter((one) => (one === each) !== chosen.includes(one));

/** A chart's name, kind and metrics, which are required, and its filters. */
export default function ChartForm({ chart, view, onDone, onClose }: ChartFormProps) {
  const t = useText();
  const formats = useFormats();
  const refresh = useRefresh();
  const isStaff = useSession().user.kind === 'staff';
  const shownPeriod: Period = view.preset ?? asShown;
  // The version that the form started with, whatever is read meanwhile; undefined once notified of a newer one.
  const begunWith = useRef(chart?.version);
  const change = async ({ chartId, version }: Chart, body: ChartFields) => {
    try {
      const seen = begunWith.current ?? version;
      return await call('PATCH /charts/:chartId', { params: { chartId }, body: { ...body, version: seen } });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CONFLICT') {
        // The newest state is loaded behind the form, and saving again overwrites it.
        begunWith.current = undefined;
        await refresh('/charts');
      }
      throw error;
    }
  };
  const proposed = ({ selectedMetrics, dimensions }: Pick<ChartView, 'selectedMetrics' | 'dimensions'>) =>
    proposeName(
      selectedMetrics.map((each) => t(`statistics.metric.${each}`)),
      dimensions.filter((each) => each !== 'logDate').map((each) => t(`statistics.dimension.${each}`)),
      formats.list,
    );
  const viewOf = ({ period, unit, chartType, selectedMetrics, dimensions }: FormValues): ChartView => ({
    chartType,
    selectedMetrics,
    dimensions,
    unit: Number(unit) as 0 | 1 | 2,
    filters: view.filters,
    compare: view.compare,
    ...(period === asShown ? { preset: null, from: view.from, to: view.to } : { preset: period, from: null, to: null }),
  });
  const form = useForm<FormValues>({
    initial: {
      tabName: chart?.tabName ?? null,
      chartType: view.chartType,
      selectedMetrics: [...view.selectedMetrics],
      dimensions: [...view.dimensions],
      period: shownPeriod,
      unit: String(view.unit) as FormValues['unit'],
    },
    validate: (values) => ({
      ...((values.tabName ?? proposed(values)).trim() === '' && {
        tabName: t('ui.required.message', { label: t('statistics.form.name') }),
      }),
      ...(values.selectedMetrics.length === 0 && { selectedMetrics: t('statistics.form.metrics.none') }),
      ...(values.dimensions.length > mostDimensions && { dimensions: t('statistics.form.dimensions.many') }),
    }),
    submit: async (values) => {
      const body = { ...viewOf(values), tabName: (values.tabName ?? proposed(values)).trim() };
      const saved = chart ? await change(chart, body) : await call('POST /charts', { body });
      toast(t(chart ? 'statistics.edited' : 'statistics.added'));
      await refresh('/charts');
      onDone(saved);
    },
  });
  const { values } = form;
  const name = values.tabName ?? proposed(values);
  const previewed = viewOf(
    values.selectedMetrics.length > 0 ? values : { ...values, selectedMetrics: view.selectedMetrics },
  );
  const dimensions = statisticsDimensions.filter((each) => isStaff || !staffDimensions.includes(each));
  const periods: readonly Period[] = view.preset === null ? [...datePresets, asShown] : datePresets;
  return (
    <Drawer
      title={t(chart ? 'statistics.edit' : 'statistics.add')}
      width="narrow"
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t(chart ? 'ui.save' : 'statistics.add')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <ChartPreview
          title={name}
          view={previewed}
          onChange={({ preset, by }) => {
            const period = datePresets.find((each) => each === preset);
            form.set({ ...(period && { period }), ...(by && { dimensions: ['logDate'] }) });
          }}
        />
        <Field label={t('statistics.form.name')} required {...form.field('tabName')}>
          <TextInput {...form.bind('tabName')} value={name} maxLength={longestName} autoComplete="off" />
        </Field>
        <Field group label={t('statistics.type')} required {...form.field('chartType')}>
          <OptionCards
            {...form.bind('chartType')}
            options={chartTypes.map((value) => ({
              value,
              title: t(`statistics.type.${value}`),
              note: t(`statistics.type.${value}.note`),
            }))}
          />
        </Field>
        <Field group label={t('statistics.form.metrics')} required {...form.field('selectedMetrics')}>
          <div className="statistics-metrics">
            {statisticsMetrics.map((each) => (
              <Checkbox
                key={each}
                checked={values.selectedMetrics.includes(each)}
                onChange={() => form.set({ selectedMetrics: toggled(statisticsMetrics, values.selectedMetrics, each) })}
              >
                {t(`statistics.metric.${each}`)}
              </Checkbox>
            ))}
          </div>
        </Field>
        <Field group label={t('statistics.form.dimensions')} {...form.field('dimensions')}>
          <div className="statistics-metrics">
            {dimensions.map((each) => (
              <Checkbox
                key={each}
                checked={values.dimensions.includes(each)}
                onChange={() => form.set({ dimensions: toggled(dimensions, values.dimensions, each) })}
              >
                {t(`statistics.dimension.${each}`)}
              </Checkbox>
            ))}
          </div>
        </Field>
        <Field group label={t('statistics.unit')} {...form.field('unit')}>
          <Segmented
            label={t('statistics.unit')}
            value={values.unit}
            onChange={(unit) => form.set({ unit })}
            options={(['0', '1', '2'] as const).map((value) => ({ value, label: t(`statistics.unit.${value}`) }))}
          />
        </Field>
        <Field group label={t('statistics.period')} hint={t('statistics.form.filters')} {...form.field('period')}>
          <OptionCards
            {...form.bind('period')}
            options={periods.map((value) => ({
              value,
              title: value === asShown ? t('statistics.range') : t(`statistics.preset.${value}`),
            }))}
          />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Drawer>
  );
}
