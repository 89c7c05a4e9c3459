import { SecondFactorMethod, type Session } from '@pahatid/contract';
import { ArrowLeft, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { askPasskey, passkeyPlace } from '../../lib/passkeys.ts';
import { Button } from '../../ui/base/button.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/text-input.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Note } from '../../ui/page/note.tsx';
import './second-factor.css';
import type { AskedFactor } from './asked-factor.ts';
import { usePasskey } from './passkey-sign-in.tsx';

interface SecondFactorProps {
  asked: AskedFactor;
  enter: (session: Session) => Promise<void>;
  /** Back to the first factor. */
  back: () => void;
}

const known = Object.values(SecondFactorMethod);

/** The second step of a sign-in: one method at a time, the others one click away. */
export default function SecondFactor({ asked, enter, back }: SecondFactorProps) {
  const t = useText();
  const methods = known.filter(
    (each) => asked.methods.includes(each) && (each !== 'passkey' || passkeyPlace() === 'here'),
  );
  const [method, setMethod] = useState(methods.includes('passkey') ? 'passkey' : (methods[0] ?? 'recoveryCode'));
  /** Why there is nothing more to try here. */
  const [ended, setEnded] = useState<string | null>(null);
  const orEnd = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      const isOver =
        error instanceof ApiError &&
        (error.code === 'SIGN_IN_STEP_ENDED' || (error.code === 'SECOND_FACTOR_WRONG' && error.params.left === 0));
      if (!isOver) throw error;
      setEnded(errorText(error));
    }
  };
  const finish = (answer: object) =>
    orEnd(async () => {
      const body = { challenge: asked.challenge, method, ...answer };
      await enter(await call('POST /session/second-factor', { body }));
    });
  const byPasskey = () =>
    orEnd(async () => {
      const { options } = await call('POST /session/second-factor/passkey', { body: { challenge: asked.challenge } });
      await finish({ assertion: await askPasskey(options) });
    });
  if (ended !== null)
    return (
      <div className="second-factor">
        <Note tone="danger">{ended}</Note>
        <Button variant="primary" size="large" block autoFocus onClick={back}>
          {t('secondFactor.back')}
        </Button>
      </div>
    );
  return (
    <div className="second-factor">
      <p className="ink-2">{t(`secondFactor.${method}.lead`)}</p>
      {method === 'passkey' ? (
        <PasskeyStep answer={byPasskey} />
      ) : (
        <CodeStep key={method} method={method} finish={finish} />
      )}
      <div className="second-factor-others">
        <Button variant="link" icon={ArrowLeft} mirrorIcon onClick={back}>
          {t('secondFactor.back')}
        </Button>
        <div>
          {methods
            .filter((each) => each !== method)
            .map((each) => (
              <Button key={each} variant="link" onClick={() => setMethod(each)}>
                {t(`secondFactor.${each}.use`)}
              </Button>
            ))}
        </div>
      </div>
    </div>
  );
}

type Finish = (answer: object) => Promise<void>;

function CodeStep({ method, finish }: { method: 'totp' | 'recoveryCode'; finish: Finish }) {
  const t = useText();
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => (code.trim() === '' ? { code: t('secondFactor.code.required') } : {}),
    codeFields: { SECOND_FACTOR_WRONG: 'code', VALIDATION_FAILED: 'code' },
    submit: ({ code }) => finish({ code: code.trim() }),
  });
  const isTotp = method === 'totp';
  // Not when the field is left: a complaint would push away the link that was about to be clicked.
  const { onBlur: _, ...control } = form.bind('code');
  return (
    <Form {...form.formProps}>
      <Field label={t(`secondFactor.${method}.label`)} {...form.field('code')}>
        <TextInput
          {...control}
          code
          autoComplete={isTotp ? 'one-time-code' : 'off'}
          inputMode={isTotp ? 'numeric' : 'text'}
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={isTotp ? 7 : 20}
          placeholder={isTotp ? '000000' : 'XXXXX-XXXXX'}
          autoFocus
        />
      </Field>
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" variant="primary" size="large" block loading={form.busy}>
        {t('secondFactor.submit')}
      </Button>
    </Form>
  );
}

function PasskeyStep({ answer }: { answer: () => Promise<void> }) {
  const t = useText();
  const { busy, problem, run } = usePasskey(answer);
  return (
    <>
      {problem && <Note tone="danger">{problem}</Note>}
      <Button variant="primary" size="large" block icon={KeyRound} loading={busy} autoFocus onClick={() => void run()}>
        {t('secondFactor.passkey.submit')}
      </Button>
    </>
  );
}
