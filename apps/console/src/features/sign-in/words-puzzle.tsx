import type { CaptchaQuestion, WordsCaptcha } from '@pahatid/contract';
import { type KeyboardEvent, useState } from 'react';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';

interface WordsPuzzleProps {
  puzzle: WordsCaptcha;
  busy: boolean;
  onAnswer: (answer: { answer: string }) => void;
}

/** A question read or heard, answered with a number. */
export function WordsPuzzle({ puzzle, busy, onAnswer }: WordsPuzzleProps) {
  const t = useText();
  const [answer, setAnswer] = useState('');

  const send = () => {
    if (answer.trim() !== '' && !busy) onAnswer({ answer });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    send();
  };
  return (
    <div className="captcha-words">
      <label>
        <span>{questionText(puzzle.question, t)}</span>
        <span className="field-hint">{t('captcha.words.digits')}</span>
        <input
          className="input"
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <Button onClick={send} loading={busy}>
        {t('captcha.check')}
      </Button>
    </div>
  );
}

function questionText(question: CaptchaQuestion, t: Text): string {
  if (question.ask === 'place') {
    const wordOf = (word: string): string => t.maybe(`captcha.word.${word}`) ?? word;
    return t('captcha.words.place', {
      words: question.words.map(wordOf).join(t('captcha.words.comma')),
      word: wordOf(question.word),
    });
  }
  const [first = 0, second = 0] = question.numbers;
  const spelled = (number: number): string => t.maybe(`captcha.number.${number}`) ?? String(number);
  return t(`captcha.words.${question.ask}`, { first: spelled(first), second: spelled(second) });
}
