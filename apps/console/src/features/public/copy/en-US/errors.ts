import type { ErrorsCopy } from '../shapes.ts';
import { errorAdvice } from './error-advice.ts';

export const errors: ErrorsCopy = {
  title: 'API errors',
  description: 'Every error code of the Pahatid API, with its HTTP status, its meaning and its parameters.',
  heading: 'Errors',
  lead: 'A failed request is answered with application/problem+json: a code from this page, its HTTP status, and what is wrong with each invalid field. Programs decide by the code; the texts are for people and may change.',
  params: 'Parameters',
  noText: 'For programs only.',
  advice: errorAdvice,
  whatToDo: 'What to do',
  repeat: 'Repeat the same request',
  repeats: {
    afterHeader: 'After the time in the Retry-After header.',
    later: 'Later, with growing pauses.',
    never: 'No: it gets the same answer until something else has changed.',
  },
  example: 'Example',
  calls: 'Calls that answer it',
  everyCall: 'Every call.',
};
