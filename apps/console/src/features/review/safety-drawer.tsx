import type { ReactNode } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime, Mono } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Section } from '../../ui/page/page.tsx';

/** Domains that staff closed for the short links of all customers, and what visitors reported. */
export function SafetyDrawer({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <Drawer title={t('review.safety')} onClose={onClose}>
      <Section title={t('review.safety.domains')}>
        <Domains />
        <BlockDomain />
      </Section>
      <Section title={t('review.safety.reports')}>
        <Reports />
      </Section>
    </Drawer>
  );
}

function Domains() {
  const t = useText();
  const refresh = useRefresh();
  const list = useCall('GET /blocked-link-domains', { query: { limit: '200' } });
  const unblock = async (domain: string) => {
    await call('DELETE /blocked-link-domains/:domain', { params: { domain } });
    toast(t('review.safety.unblocked'));
    await refresh('/blocked-link-domains', '/short-links');
  };
  return (
    <SafetyList list={list} none={t('review.safety.domains.none')}>
      {({ domain, reason, linkCount }) => (
        <li key={domain}>
          <span className="grow">
            <Mono>{domain}</Mono> <span className="small ink-3">{t('review.safety.links', { count: linkCount })}</span>
            <span className="cell-note">
              <Bdi>{reason}</Bdi>
            </span>
          </span>
          <Button
            size="small"
            aria-label={t('review.safety.unblock.name', { domain })}
            onClick={() => void unblock(domain).catch(toastError)}
          >
            {t('review.safety.unblock')}
          </Button>
        </li>
      )}
    </SafetyList>
  );
}

function BlockDomain() {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm({
    initial: { domain: '', reason: '' },
    validate: ({ domain, reason }) => ({
      ...(domain.trim() === '' && { domain: t('ui.required.message', { label: t('review.safety.domain') }) }),
      ...(reason.trim() === '' && { reason: t('ui.required.message', { label: t('review.safety.reason') }) }),
    }),
    submit: async ({ domain, reason }) => {
      await call('PUT /blocked-link-domains/:domain', { params: { domain: domain.trim() }, body: { reason } });
      toast(t('review.safety.blocked'));
      form.reset({ domain: '', reason: '' });
      await refresh('/blocked-link-domains', '/short-links');
    },
    codeFields: { LINK_DOMAIN_INVALID: 'domain' },
  });
  return (
    <Form {...form.formProps}>
      <Field label={t('review.safety.domain')} required hint={t('review.safety.domain.hint')} {...form.field('domain')}>
        <TextInput code {...form.bind('domain')} dir="ltr" maxLength={253} autoComplete="off" />
      </Field>
      <Field label={t('review.safety.reason')} required {...form.field('reason')}>
        <TextInput {...form.bind('reason')} maxLength={200} autoComplete="off" />
      </Field>
      <FormProblem>{form.problem}</FormProblem>
      <div className="row">
        <Button type="submit" variant="danger" loading={form.busy}>
          {t('review.safety.block')}
        </Button>
      </div>
    </Form>
  );
}

function Reports() {
  const t = useText();
  const refresh = useRefresh();
  const [{ customerId }] = useSearchParams(['customerId']);
  const list = useCall('GET /link-reports', { query: { limit: '50', customerId } });
  const remove = async (reportId: string) => {
    await call('DELETE /link-reports/:reportId', { params: { reportId } });
    toast(t('review.safety.report.removed'));
    await refresh('/link-reports');
  };
  return (
    <SafetyList list={list} none={t('review.safety.reports.none')}>
      {(report) => (
        <li key={report.reportId}>
          <span className="grow">
            <Bdi>{report.message}</Bdi>
            <span className="cell-note">
              <DateTime value={report.time} style="short" /> · <Bdi>{report.operator}</Bdi> ·{' '}
              <Mono>{report.targetUrl}</Mono>
            </span>
          </span>
          <Button size="small" onClick={() => void remove(report.reportId).catch(toastError)}>
            {t('review.safety.report.remove')}
          </Button>
        </li>
      )}
    </SafetyList>
  );
}

interface SafetyListProps<T> {
  list: { data: { items: readonly T[] } | undefined; error: ApiError | null; refetch: () => unknown };
  /** Shown if there is nothing. */
  none: string;
  /** Returns the `li` of an item. */
  children: (item: T) => ReactNode;
}

function SafetyList<T>({ list, none, children }: SafetyListProps<T>) {
  if (list.error) return <FailedState error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data)
    return (
      <Delayed>
        <SkeletonLines lines={3} />
      </Delayed>
    );
  if (list.data.items.length === 0) return <p className="small ink-3">{none}</p>;
  return <ul className="review-safety">{list.data.items.map(children)}</ul>;
}
