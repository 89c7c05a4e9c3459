import { resendAfterS } from '@pahatid/contract';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { errorText } from '../api/error-text.ts';
import { useText } from '../i18n/use-text.tsx';

type Wanted =
  | { readonly purpose: 'signIn' | 'resetPassword'; readonly email: string }
  | { readonly purpose: 'resetPassword'; readonly phone: string };

const storeKey = (flow: string): string => `pahatid.code.${flow}`;

/** When the next code may be asked for, Unix milliseconds; kept for this tab, so that a reload does not end the wait. */
function readUntil(flow: string): number {
  try {
    const until = Number(sessionStorage.getItem(storeKey(flow)));
    // A clock that was set back must not make anybody wait for longer than there is to wait.
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
 * Sends codes of one flow (`signIn`, `resetByPhone` …) and counts down to the next one. `send` throws what went wrong,
 * but for a code that was sent too short a time ago, which only sets the countdown.
 */
export function useSendCode(flow: string) {
  const t = useText();
  const [until, setUntil] = useState(() => readUntil(flow));
  const [now, setNow] = useState(Date.now);
  const [busy, setBusy] = useState(false);
  const secondsLeft = Math.max(0, Math.ceil((until - now) / 1000));
  const isWaiting = secondsLeft > 0;
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

  return {
    secondsLeft,
    /** For `CodeInput`; `isSent`: one was asked for already. */
    button: (isSent: boolean) => ({
      sendLabel: isWaiting
        ? t('passwords.code.resendIn', { seconds: secondsLeft })
        : t(isSent ? 'passwords.code.resend' : 'passwords.code.send'),
      isWaiting,
      sending: busy,
    }),
    send: async (body: Wanted): Promise<void> => {
      setBusy(true);
      try {
        const { resendAfterS: seconds } = await call('POST /codes', { body });
        wait(seconds);
      } catch (error) {
        const seconds =
          error instanceof ApiError && error.code === 'RATE_LIMITED' ? Number(error.params.retryAfterS) : 0;
        if (seconds > 0 && seconds <= resendAfterS) wait(seconds);
        throw error;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** What to say of a code that could not be sent: the product's own words, and the reason where there is one to tell. */
export const whyNotSent = (error: unknown, failed: string): string =>
  error instanceof ApiError && error.code === 'RATE_LIMITED' ? `${failed}. ${errorText(error)}` : failed;
