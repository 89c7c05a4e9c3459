import { errorCatalogue } from '@pahatid/contract';
import type { Messages } from '../../../lib/i18n/text-store.ts';
import type { ErrorsCopy } from '../copy/shapes.ts';
import { describeMessage } from '../describe-message.ts';

const entries: [string, { status: number; params?: readonly string[] }][] = Object.entries(errorCatalogue);

export const errorCodes = entries.map(([code]) => code);

/** Every error code of the API, each with an anchor that the `type` of a problem leads to. */
export function ErrorsPage({ copy, texts }: { copy: ErrorsCopy; texts: Messages }) {
  return (
    <div className="docs-text docs-errors">
      {entries.map(([code, { status, params }]) => (
        <section key={code}>
          <h2 id={code}>{code}</h2>
          <p>
            {`HTTP ${status} · `}
            {describeMessage(texts[`error.${code}`] ?? copy.noText)}
          </p>
          {params && <p className="small ink-3">{`${copy.params}: ${params.join(', ')}`}</p>}
        </section>
      ))}
    </div>
  );
}
