import { resendAfterS } from '@pahatid/contract';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../feedback/toast-store.ts';

const storeKey = (flow: string): string => `pahatid.code.${flow}`;

/**
 * When the next code may be requested, Unix milliseconds; stored for this tab, so that a reload does not end the wait.
 */
function readUntil(flow: string): number {
  try {
    const until = Number(sessionStorage.getItem(storeKey(flow)));
    // A clock that was set back must not extend the wait beyond its length.
    return until > Date.now() + resendAfterS * 1000 ? 0 : until;
  } catch {
    return 0;
  }
}

function keepUntil(flow: string, until: number): void {
  try {
    sessionStorage.setItem(storeKey(flow), String(until));
  } catch {
    // A browser that keeps nothing: the server still counts.
  }
}

/**
 * Sends codes of one flow (`signIn`, `resetByPhone` …) by `ask`, and counts down to the next one. A flow that began
 * before a reload continues: its code was sent.
 */
export function useSendCode<W>(flow: string, ask: (wanted: W) => Promise<{ resendAfterS: number }>) {
  const t = useText();
  const [until, setUntil] = useState(() => readUntil(flow));
  const [now, setNow] = useState(Date.now);
  const [busy, setBusy] = useState(false);
  const secondsLeft = Math.max(0, Math.ceil((until - now) / 1000));
  const isWaiting = secondsLeft > 0;
  const [isSent, setIsSent] = useState(isWaiting);
  const [notSent, setNotSent] = useState<string | null>(null);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isWaiting]);

  const wait = (seconds: number) => {
    const end = Date.now() + seconds * 1000;
    keepUntil(flow, end);
    setNow(Date.now());
    setUntil(end);
  };

  /** Throws the error; if the last code was sent too recently, also sets the countdown. */
  const send = async (wanted: W): Promise<void> => {
    setBusy(true);
    setNotSent(null);
    try {
      wait((await ask(wanted)).resendAfterS);
      setIsSent(true);
      toast(t('passwords.code.sent'));
    } catch (error) {
      const seconds = error instanceof ApiError && error.code === 'RATE_LIMITED' ? Number(error.params.retryAfterS) : 0;
      if (seconds > 0 && seconds <= resendAfterS) wait(seconds);
      throw error;
    } finally {
      setBusy(false);
    }
  };

  return {
    secondsLeft,
    /** One was asked for already. */
    isSent,
    /** Why the last one could not be sent; null if it was. */
    notSent,
    /** For `CodeInput`. */
    button: {
      sendLabel: isWaiting
        ? t('passwords.code.resendIn', { seconds: secondsLeft })
        : t(isSent ? 'passwords.code.resend' : 'passwords.code.send'),
      isWaiting,
      sending: busy,
    },
    send,
    /** The same, with the error in `notSent`; returns whether it was sent. */
    trySending: async (wanted: W): Promise<boolean> => {
      try {
        await send(wanted);
        return true;
      } catch (error) {
        setNotSent(whyNotSent(error, t('passwords.code.failed')));
        return false;
      }
    },
  };
}

export type SendCode = Pick<ReturnType<typeof useSendCode>, 'isSent' | 'notSent' | 'button'>;

/** The product's own text, and the reason if there is one. */
const whyNotSent = (error: unknown, failed: string): string =>
  error instanceof ApiError && error.code === 'RATE_LIMITED' ? `${failed}. ${errorText(error)}` : failed;
