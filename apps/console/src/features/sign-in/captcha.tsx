import type { CallInput, Captcha as Puzzle } from '@pahatid/contract';
import { Check, RefreshCw } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { FailureText } from '../../ui/feedback/request-id.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { useColorMode } from '../../ui/theme/color-mode.ts';
import './captcha.css';
import { SliderPuzzle } from './slider-puzzle.tsx';
import { takePuzzle } from './take-puzzle.ts';
import { WordsPuzzle } from './words-puzzle.tsx';

interface CaptchaProps {
  /** Null again when the pass has grown old or a new puzzle was asked for. */
  onPass: (pass: string | null) => void;
  /** Error shown when the form was sent without it. */
  error?: string | undefined;
  /** Failed sign-ins that the server reported when it required this puzzle; 0 if it reported none. */
  failures: number;
}

/** Margin before the server's own limit, so that no user answers a puzzle that has just expired. */
const earlyMs = 5_000;
/** A pass opens one call within five minutes. */
const passMs = 280_000;

type State =
  | { at: 'loading'; isLong: boolean }
  | { at: 'open'; puzzle: Puzzle; shownAt: number }
  | { at: 'checking'; puzzle: Puzzle; shownAt: number }
  | { at: 'passed' }
  | { at: 'failed'; error: unknown };

/** The human verification: a slider puzzle, or a text question. Mount a new one for each pass. */
export default function Captcha({ onPass, error, failures }: CaptchaProps) {
  const t = useText();
  const id = useId();
  const theme = useColorMode();
  const [kind, setKind] = useState<Puzzle['kind']>('slider');
  const [state, setState] = useState<State>({ at: 'loading', isLong: false });
  const [note, setNote] = useState<string | null>(null);
  const box = useRef<HTMLFieldSetElement>(null);
  const notifyListeners = useEffectEvent(onPass);
  const [round, setRound] = useState(0);

  useEffect(() => {
    // A number that grows asks for another one.
    void round;
    let isWanted = true;
    notifyListeners(null);
    setState({ at: 'loading', isLong: false });
    const gone = new AbortController();
    const onLongWork = () => isWanted && setState({ at: 'loading', isLong: true });
    takePuzzle({ kind, theme }, onLongWork, gone.signal).then(
      (puzzle) => isWanted && setState({ at: 'open', puzzle, shownAt: performance.now() }),
      (failure: unknown) => isWanted && setState({ at: 'failed', error: failure }),
    );
    return () => {
      isWanted = false;
      gone.abort();
    };
  }, [kind, theme, round]);

  const again = (message: string | null) => {
    setNote(message);
    setRound((before) => before + 1);
  };
  const expire = useEffectEvent(() => again(t('captcha.expired')));
  const { at } = state;
  const lifeMs = at === 'passed' ? passMs : 'puzzle' in state ? state.puzzle.expiresIn * 1000 - earlyMs : null;
  useEffect(() => {
    if (lifeMs === null || at === 'checking') return undefined;
    const timer = setTimeout(() => expire(), lifeMs);
    return () => clearTimeout(timer);
  }, [lifeMs, at]);

  const answer = async (body: CallInput<'POST /captcha/:captchaId/answer'>['body']) => {
    if (state.at !== 'open') return;
    setState({ ...state, at: 'checking' });
    setNote(null);
    try {
      const { captchaId } = state.puzzle;
      const { pass } = await call('POST /captcha/:captchaId/answer', { params: { captchaId }, body });
      setState({ at: 'passed' });
      onPass(pass);
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'CAPTCHA_FAILED') again(errorText(failure, t));
      else setState({ at: 'failed', error: failure });
    }
  };
  // The missing input is here, and the pressed button is below. With the message, not after it is shown: the user may be
  // in the puzzle by then.
  useLayoutEffect(() => {
    if (error !== undefined) box.current?.focus();
  }, [error]);
  const change = () => {
    setNote(null);
    setKind(kind === 'slider' ? 'words' : 'slider');
    box.current?.focus();
  };

  const message = error ?? note ?? undefined;
  return (
    <fieldset ref={box} className="captcha" tabIndex={-1} aria-describedby={message && id}>
      <legend className="field-label">
        {t(`captcha.title.${kind}`)}
        {at !== 'passed' && (
          <span className="aside">
            <Button variant="link" size="small" onClick={change}>
              {t(`captcha.other.${kind}`)}
            </Button>
            <Button
              variant="quiet"
              size="small"
              icon={RefreshCw}
              aria-label={t('captcha.again')}
              title={t('captcha.again')}
              onClick={() => again(null)}
            />
          </span>
        )}
      </legend>
      {at !== 'passed' && failures > 0 && (
        <p className="captcha-why is-danger" role="alert">
          {t('error.PASSWORD_INCORRECT', { count: failures })}
        </p>
      )}
      {at !== 'passed' && <p className="captcha-why">{t('error.CAPTCHA_REQUIRED')}</p>}
      {at === 'loading' && (
        <div className={`captcha-arriving-${kind}`}>
          <Skeleton height={kind === 'slider' ? 43 : 150} />
        </div>
      )}
      {'puzzle' in state &&
        (state.puzzle.kind === 'slider' ? (
          <SliderPuzzle
            key={state.puzzle.captchaId}
            puzzle={state.puzzle}
            shownAt={state.shownAt}
            busy={at === 'checking'}
            onAnswer={(body) => void answer(body)}
          />
        ) : (
          <WordsPuzzle
            key={state.puzzle.captchaId}
            puzzle={state.puzzle}
            busy={at === 'checking'}
            onAnswer={(body) => void answer(body)}
          />
        ))}
      {at === 'failed' && (
        <div className="captcha-failed">
          <span>
            <FailureText error={state.error} />
          </span>
          <Button size="small" onClick={() => again(null)}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
      <div aria-live="polite">
        {at === 'loading' && state.isLong && <p className="captcha-note">{t('captcha.preparing')}</p>}
        {at === 'passed' && (
          <p className="captcha-passed">
            <Icon of={Check} size="small" />
            {t('captcha.passed')}
          </p>
        )}
        {message && at !== 'passed' && (
          <p className="field-error captcha-note" id={id}>
            {message}
          </p>
        )}
      </div>
    </fieldset>
  );
}
