import type { SiteCopy } from '../copy/shapes.ts';
import { ProsePage } from './prose-page.tsx';

/** A warning in the place of a disabled link, with a plain form that is sent to the link's own address. */
export function BlockedPage({ copy }: { copy: SiteCopy['linkBlocked'] }) {
  return (
    <>
      <ProsePage copy={copy} />
      <form method="post" className="prose">
        <p>
          <label htmlFor="message">{copy.form.label}</label>
        </p>
        <p>
          <textarea id="message" name="message" rows={4} maxLength={1000} required />
        </p>
        <p>
          <button type="submit" className="button is-primary">
            {copy.form.send}
          </button>
        </p>
      </form>
    </>
  );
}
