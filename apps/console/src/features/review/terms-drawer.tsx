import { type CallResult, termCategories, termLanguages, termLevels } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { Fragment, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { makeListOrder } from '../../lib/router/list-order.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Note, Section } from '../../ui/page/page.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';

type Term = CallResult<'GET /prohibited-terms'>['items'][number];
interface TermView {
  search?: string | undefined;
  category?: string | undefined;
  level?: string | undefined;
  sort?: string | undefined;
  cursor?: string | undefined;
}

/** Prohibited terms of templates, and terms that reviewers check closely; admins edit the list. */
export function TermsDrawer({ onClose }: { onClose: () => void }) {
  const t = useText();
  const isAdmin = useMay('admin');
  const [view, setView] = useState<TermView>({});
  const [adding, setAdding] = useState(false);
  const list = useCall('GET /prohibited-terms', { query: { ...view } }, { keepPrevious: true });
  const narrow = (patch: TermView) => setView({ ...view, ...patch, cursor: undefined });
  const { search, category, level } = view;
  const clear = () => narrow({ search: undefined, category: undefined, level: undefined });
  const filtered = [search, category, level].some((each) => each !== undefined);
  const { order } = makeListOrder('GET /prohibited-terms', view.sort, (sort) => narrow({ sort }));
  return (
    <Drawer
      title={t('review.terms')}
      onClose={onClose}
      actions={
        isAdmin &&
        !adding && (
          <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
            {t('review.terms.add')}
          </Button>
        )
      }
    >
      <p className="ink-2">{t('review.terms.text')}</p>
      {adding && <AddWord />}
      {!isAdmin && <Note>{t('review.holidays.admins')}</Note>}
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('review.terms.search')}
                value={view.search}
                onChange={(search) => narrow({ search })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('review.terms.category')}
              options={termCategories.map((value) => ({ value, label: t(`review.terms.category.${value}`) }))}
              value={view.category}
              onChange={(category) => narrow({ category })}
            />
            <ChoiceFilter
              label={t('review.terms.level')}
              options={termLevels.map((value) => ({ value, label: t(`review.terms.level.${value}`) }))}
              value={view.level}
              onChange={(level) => narrow({ level })}
            />
          </FilterBar>
        }
        name="prohibitedTerms"
        label={t('review.terms')}
        columns={useColumns(isAdmin)}
        rowKey={(row) => row.id}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ ...view, cursor })}
        filtered={filtered}
        onClearFilters={clear}
        empty={<EmptyState title={t('review.terms.none')} />}
      />
    </Drawer>
  );
}

function useColumns(isAdmin: boolean): Column<Term>[] {
  const t = useText();
  const formats = useFormats();
  const refresh = useRefresh();
  const languageName = useLanguageName();
  const remove = async ({ id, term }: Term) => {
    try {
      await call('DELETE /prohibited-terms/:id', { params: { id } });
      toast(t('review.terms.removed', { term }));
    } catch (error) {
      toastError(error);
    }
    await refresh('/prohibited-terms');
  };
  return [
    {
      key: 'term',
      title: t('review.terms.search'),
      fixed: true,
      long: true,
      card: 'title',
      cell: (row) => (
        <>
          <bdi>{row.term}</bdi>
          {row.exempt.length > 0 && (
            <span className="cell-note clip">
              {formats.pair(t('review.terms.exempt'), '')}
              {row.exempt.map((phrase, index) => (
                <Fragment key={phrase}>
                  {index > 0 && ' · '}
                  <bdi>{phrase}</bdi>
                </Fragment>
              ))}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'level',
      title: t('review.terms.level'),
      card: 'state',
      cell: ({ level }) => (
        <StatusTag {...(level === 'block' ? blocked : flagged)}>{t(`review.terms.level.${level}`)}</StatusTag>
      ),
    },
    {
      key: 'category',
      title: t('review.terms.category'),
      cell: (row) => t(`review.terms.category.${row.category}`),
    },
    { key: 'lang', title: t('review.terms.lang'), cell: (row) => languageName(row.lang) },
    ...(isAdmin
      ? [
          {
            key: 'act',
            title: t('review.holidays.actions'),
            align: 'end' as const,
            fixed: true,
            cell: (row: Term) => (
              <Button
                variant="link"
                size="small"
                aria-label={t('review.holidays.remove', { name: row.term })}
                onClick={() => void remove(row)}
              >
                {t('review.holidays.remove.short')}
              </Button>
            ),
          },
        ]
      : []),
  ];
}

const blocked = { glyph: 'cross', tone: 'danger' } as const;
const flagged = { glyph: 'dots', tone: 'warning' } as const;

function useLanguageName(): (lang: string) => string {
  const { locale } = useTexts();
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  return (lang) => names.of(lang) ?? lang;
}

function AddWord() {
  const t = useText();
  const refresh = useRefresh();
  const languageName = useLanguageName();
  const empty = { term: '', lang: termLanguages[1] as Term['lang'], category: termCategories[0] as Term['category'] };
  const initial = { ...empty, level: termLevels[0] as Term['level'], exempt: '' };
  const form = useForm({
    initial,
    validate: ({ term }) =>
      term.trim() === '' ? { term: t('ui.required.message', { label: t('review.terms.search') }) } : {},
    submit: async ({ exempt, ...entry }) => {
      const phrases = exempt
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      const { term } = await call('PUT /prohibited-terms', {
        body: { ...entry, term: entry.term.trim(), exempt: phrases },
      });
      toast(t('review.terms.saved', { term }));
      form.reset({ ...initial, lang: entry.lang, category: entry.category, level: entry.level });
      await refresh('/prohibited-terms');
    },
  });
  return (
    <Section title={t('review.terms.add')}>
      <Form {...form.formProps}>
        <div className="form-grid">
          <Field label={t('review.terms.search')} required {...form.field('term')}>
            <TextInput {...form.bind('term')} maxLength={60} autoComplete="off" />
          </Field>
          <Field label={t('review.terms.lang')} {...form.field('lang')}>
            <Select
              value={form.values.lang}
              onChange={(lang) => lang && form.set({ lang })}
              options={termLanguages.map((value) => ({ value, label: languageName(value) }))}
            />
          </Field>
          <Field label={t('review.terms.category')} {...form.field('category')}>
            <Select
              value={form.values.category}
              onChange={(category) => category && form.set({ category })}
              options={termCategories.map((value) => ({ value, label: t(`review.terms.category.${value}`) }))}
            />
          </Field>
          <Field label={t('review.terms.level')} {...form.field('level')}>
            <Select
              value={form.values.level}
              onChange={(level) => level && form.set({ level })}
              options={termLevels.map((value) => ({ value, label: t(`review.terms.level.${value}`) }))}
            />
          </Field>
        </div>
        <Field label={t('review.terms.exempt')} optional hint={t('review.terms.exempt.hint')} {...form.field('exempt')}>
          <TextArea {...form.bind('exempt')} rows={2} />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
        <div>
          <Button type="submit" variant="primary" loading={form.busy}>
            {t('review.terms.add')}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
