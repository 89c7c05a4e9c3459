import type { SiteWords } from '../words/shapes.ts';
import { ProsePage } from './prose-page.tsx';

/** A warning in the place of a disabled link, with a plain form that is sent to the link's own address. */
export function BlockedPage({ words }: { words: SiteWords['linkBlocked'] }) {
  return (
    <>
      <ProsePage words={words} />
      <form method="post" className="prose">
        <p>
          <label htmlFor="message">{words.form.label}</label>
        </p>
        <p>
          <textarea id="message" name="message" rows={4} maxLength={1000} required />
        </p>
        <p>
          <button type="submit" className="button is-primary">
            {words.form.send}
          </button>
        </p>
      </form>
    </>
  );
}
