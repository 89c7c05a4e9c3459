import { type RouteRuleItem, type RoutingWarning, UseState } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { NumberInput, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { type RouteScope, RouteScopeFields } from './route-scope-fields.tsx';
import { useWarningText } from './warning-text.ts';

interface Values extends RouteScope {
  routeName: string;
  supplierId: string | null;
  priority: number | null;
  weight: number | null;
}

/** Adds, edits, enables, disables or removes a route; each change applies immediately. */
export function RouteForm({ route, onClose }: { route: RouteRuleItem | null; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const warningText = useWarningText();
  const [asking, setAsking] = useState<'disable' | 'delete' | null>(null);
  const suppliers = useCall('GET /suppliers', { query: { limit: '200' } });
  const done = async (text: string, warnings: readonly RoutingWarning[]) => {
    toast(text);
    for (const warning of warnings) toast(warningText(warning), 'info');
    await refresh('/routes', '/suppliers');
    onClose();
  };
  const form = useForm<Values>({
    initial: {
      routeName: route?.routeName ?? '',
      areaCode: route?.areaCode ?? 'PH',
      carrier: route?.carrier ?? null,
      smsType: route?.smsType ?? null,
      supplierId: route?.supplierId ?? null,
      priority: route?.priority ?? 0,
      weight: route?.weight ?? 1,
    },
    validate: (values) => ({
      ...(values.routeName.trim() === '' && { routeName: t('ui.required.message', { label: t('routing.route') }) }),
      ...(values.supplierId === null && { supplierId: t('ui.required.choice', { label: t('routing.supplier') }) }),
      ...(values.priority === null && { priority: t('ui.required.message', { label: t('routing.priority') }) }),
      ...(values.weight === null && { weight: t('ui.required.message', { label: t('routing.weight') }) }),
    }),
    submit: async (values) => {
      const body = {
        ...values,
        supplierId: values.supplierId ?? '',
        priority: values.priority ?? 0,
        weight: values.weight ?? 1,
      };
      const saved = route
        ? await call('PATCH /routes/:routeId', {
            params: { routeId: route.routeId },
            body: { ...body, version: route.version },
          })
        : await call('POST /routes', { body });
      await done(t(route ? 'routing.route.saved' : 'routing.route.added'), saved.warnings);
    },
    codeFields: { ROUTE_NAME_TAKEN: 'routeName', SUPPLIER_NOT_FOUND: 'supplierId' },
  });
  const turn = async (action: 'enable' | 'disable') => {
    if (!route) return;
    const { warnings } = await call(`POST /routes/:routeId/${action}`, { params: { routeId: route.routeId } });
    await done(t(`routing.route.${action}d`), warnings);
  };
  const remove = async () => {
    if (!route) return;
    const { warnings } = await call('DELETE /routes/:routeId', { params: { routeId: route.routeId } });
    await done(t('routing.route.removed'), warnings);
  };
  return (
    <Drawer
      width="narrow"
      title={t(route ? 'routing.route.edit' : 'routing.route.add')}
      closeOnMask={false}
      onClose={onClose}
      actions={
        route && (
          <>
            {route.useState === UseState.Enabled ? (
              <Button size="small" onClick={() => setAsking('disable')}>
                {t('routing.disable')}
              </Button>
            ) : (
              <Button size="small" onClick={() => void turn('enable').catch(form.showFailure)}>
                {t('routing.enable')}
              </Button>
            )}
            <Button size="small" variant="danger" onClick={() => setAsking('delete')}>
              {t('routing.remove')}
            </Button>
          </>
        )
      }
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t(route ? 'ui.save' : 'routing.route.add')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <Field label={t('routing.route')} required {...form.field('routeName')}>
          <TextInput {...form.bind('routeName')} maxLength={50} autoComplete="off" />
        </Field>
        <Field label={t('routing.supplier')} required {...form.field('supplierId')}>
          <Select
            {...form.bind('supplierId')}
            loading={suppliers.isPending}
            options={(suppliers.data?.items ?? []).map((each) => ({
              value: each.supplierId,
              label: each.supplierAccount,
              aside: each.useState === UseState.Disabled ? t('routing.useState.0') : (each.carrier ?? ''),
            }))}
          />
        </Field>
        <RouteScopeFields values={form.values} set={(patch) => form.set(patch)} error={form.errorOf('areaCode')} />
        <div className="form-grid">
          <Field label={t('routing.priority')} required hint={t('routing.priority.hint')} {...form.field('priority')}>
            <NumberInput {...form.bind('priority')} min={-1_000} max={1_000} />
          </Field>
          <Field label={t('routing.weight')} required hint={t('routing.weight.hint')} {...form.field('weight')}>
            <NumberInput {...form.bind('weight')} min={1} max={1_000} />
          </Field>
        </div>
        <FormProblem>{form.problem}</FormProblem>
      </Form>
      {asking && route && (
        <ConfirmDialog
          danger
          title={t(`routing.route.${asking}.title`, { name: route.routeName })}
          confirmLabel={t(asking === 'delete' ? 'routing.remove' : 'routing.disable')}
          onConfirm={asking === 'delete' ? remove : () => turn('disable')}
          onClose={() => setAsking(null)}
        >
          {t('routing.route.stop.text')}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
