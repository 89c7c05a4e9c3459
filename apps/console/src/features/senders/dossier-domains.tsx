import type { Dossier } from '@pahatid/contract';
import { readDomainName } from '@pahatid/domain';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Dash, Mono } from '../../ui/data/text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Glyph } from '../../ui/status/glyphs.tsx';

const looks = {
  asked: { glyph: 'dots', tone: 'warning', text: 'approvals.state.pending' },
  allowed: { glyph: 'done', tone: 'success', text: 'approvals.state.approved' },
  refused: { glyph: 'cross', tone: 'danger', text: 'approvals.state.rejected' },
} as const;

/** Domains that texts link to, each with the carrier's decision. */
export function DossierDomains({ dossier, mayWrite }: { dossier: Dossier; mayWrite: boolean }) {
  const t = useText();
  const refresh = useRefresh();
  const [isAdding, setAdding] = useState(false);
  const { dossierId, domains } = dossier;
  const remove = async (domain: string) => {
    await call('DELETE /dossiers/:dossierId/domains/:domain', { params: { dossierId, domain } });
    await refresh('/senders', '/dossiers');
  };
  return (
    <div className="dossier-domains">
      {domains.length === 0 && !mayWrite && <Dash />}
      {domains.map(({ domain, state }) => (
        <span key={domain} className={`dossier-domain tone-${looks[state].tone}`}>
          <Glyph name={looks[state].glyph} />
          <span className="visually-hidden">{t(looks[state].text)}</span>
          <Mono>{domain}</Mono>
          {mayWrite && (
            <Button
              variant="quiet"
              size="small"
              icon={X}
              aria-label={t('dossiers.remove', { name: domain })}
              onClick={() => void remove(domain).catch(toastError)}
            />
          )}
        </span>
      ))}
      {mayWrite && (
        <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
          {t('dossiers.domain')}
        </Button>
      )}
      {isAdding && <AddDomain dossierId={dossierId} onClose={() => setAdding(false)} />}
    </div>
  );
}

function AddDomain({ dossierId, onClose }: { dossierId: string; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm({
    initial: { domain: '' },
    validate: ({ domain }) => (readDomainName(domain) === null ? { domain: t('dossiers.domain.hint') } : {}),
    submit: async ({ domain }) => {
      await call('POST /dossiers/:dossierId/domains', { params: { dossierId }, body: { domain: domain.trim() } });
      await refresh('/senders', '/dossiers');
      onClose();
    },
  });
  return (
    <FormDialog title={t('dossiers.domain')} form={form} onClose={onClose}>
      <Field label={t('dossiers.domain')} required hint={t('dossiers.domain.hint')} {...form.field('domain')}>
        <TextInput {...form.bind('domain')} code inputMode="url" maxLength={253} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
