import { errorCatalogue } from '@pahatid/contract';
import type { Messages } from '../../../lib/i18n/text-store.ts';
import type { ErrorsCopy } from '../copy/shapes.ts';
import { describeMessage } from '../describe-message.ts';

const entries: [string, { status: number; params?: readonly string[] }][] = Object.entries(errorCatalogue);

export const errorCodes = entries.map(([code]) => code);

/** Undefined for a code that people never see. */
export function describeError(code: string, texts: Messages): string | undefined {
  const text = texts[`error.${code}`];
  return text === undefined ? undefined : describeMessage(text);
}

interface ErrorsPageProps {
  copy: ErrorsCopy;
  texts: Messages;
  /** Codes that have a page. */
  withPage: ReadonlySet<string>;
}

/** Every error code of the API. The `type` of a problem leads to a code's page, or to its anchor here. */
export function ErrorsPage({ copy, texts, withPage }: ErrorsPageProps) {
  return (
    <div className="docs-text docs-errors">
      {entries.map(([code, { status, params }]) => (
        <section key={code}>
          <h2 id={code}>{withPage.has(code) ? <a href={`/docs/errors/${code}`}>{code}</a> : code}</h2>
          <p>
            {`HTTP ${status} · `}
            {describeError(code, texts) ?? copy.noText}
          </p>
          {params && <p className="small ink-3">{`${copy.params}: ${params.join(', ')}`}</p>}
        </section>
      ))}
    </div>
  );
}
