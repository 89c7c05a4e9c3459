import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { exportPosted, saveBlob } from '../../lib/api/export-csv.ts';
import { readPhone } from '../../lib/codes/phone-error.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Count, PhoneNumber } from '../../ui/data/text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Facts, Panel } from '../../ui/page/page.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import type { FoundNumber } from './found-number.ts';

const counts = [
  'messageCount',
  'underWayCount',
  'optOutCount',
  'consentCount',
  'inboundCount',
  'fileCount',
  'exemptionCount',
  'groupCount',
  'clickCount',
] as const;

/** Finds a number, exports the data held about it, erases it. */
export function OneNumber({ customerId }: { customerId: string }) {
  const t = useText();
  const [found, setFound] = useState<FoundNumber | null>(null);
  const params = { customerId };
  const form = useForm({
    initial: { mobileNumber: '' },
    validate: ({ mobileNumber }) =>
      (readPhone(mobileNumber)?.ok ?? mobileNumber.trim() !== '')
        ? {}
        : { mobileNumber: t('error.MOBILE_NUMBER_INVALID') },
    submit: async (body) => setFound(await call('POST /privacy/:customerId/find', { params, body })),
    codeFields: { MOBILE_NUMBER_INVALID: 'mobileNumber' },
  });
  /** Nothing of it is left to show; the list below shows what was erased. */
  const forget = () => {
    setFound(null);
    form.reset({ mobileNumber: '' });
  };
  return (
    <Panel title={t('privacy.number')}>
      <div className="privacy-number">
        <p className="ink-2">{t('privacy.number.text')}</p>
        <Form {...form.formProps} className="privacy-find">
          <Field
            label={t('privacy.mobileNumber')}
            hint={t('privacy.mobileNumber.hint')}
            {...form.field('mobileNumber')}
          >
            <TextInput code inputMode="tel" autoComplete="off" {...form.bind('mobileNumber')} />
          </Field>
          <Button type="submit" loading={form.busy}>
            {t('privacy.find')}
          </Button>
          <FormProblem>{form.problem}</FormProblem>
        </Form>
        {found && <Found customerId={customerId} found={found} onErased={forget} />}
      </div>
    </Panel>
  );
}

function Found({ customerId, found, onErased }: { customerId: string; found: FoundNumber; onErased: () => void }) {
  const t = useText();
  const [erasing, setErasing] = useState(false);
  const input = { params: { customerId }, body: { mobileNumber: found.mobileNumber } };
  const number = <PhoneNumber value={found.mobileNumber} />;
  const isHeld = counts.some((name) => found[name] > 0);
  const saveJson = async () => {
    const held = await call('POST /privacy/:customerId/export', input);
    saveBlob(new Blob([JSON.stringify(held, null, 2)], { type: 'application/json' }), 'number.json');
  };
  return (
    <div className="privacy-found" aria-live="polite">
      <strong>{t.rich(isHeld ? 'privacy.found' : 'privacy.found.none', { number })}</strong>
      {isHeld && (
        <>
          <Facts
            items={counts.map((name) => ({
              key: name,
              label: t(`privacy.count.${name}`),
              value: <Count value={found[name]} />,
            }))}
          />
          <div className="row wrap">
            <Button
              onClick={() =>
                void exportPosted('POST /privacy/:customerId/export', input, 'number.csv').catch(toastError)
              }
            >
              {t('privacy.download.csv')}
            </Button>
            <Button onClick={() => void saveJson().catch(toastError)}>{t('privacy.download.json')}</Button>
            <Button variant="danger" onClick={() => setErasing(true)}>
              {t('privacy.erase')}
            </Button>
          </div>
        </>
      )}
      {erasing && (
        <EraseDialog customerId={customerId} found={found} onErased={onErased} onClose={() => setErasing(false)} />
      )}
    </div>
  );
}
