import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import './feedback.css';

/** The id of a failed call, which support will ask for; one click takes all of it. */
export function RequestId({ id }: { id: string }) {
  const t = useText();
  return (
    <small className="request-id">
      {t('ui.requestId')} <bdi className="mono">{id}</bdi>
    </small>
  );
}

/** A failed action's error, and below it the id, if the failure is the server's. */
export function FailureText({ error }: { error: unknown }): ReactNode {
  const t = useText();
  const id = error instanceof ApiError ? error.idForSupport : null;
  return (
    <>
      {errorText(error, t)}
      {id && <RequestId id={id} />}
    </>
  );
}
