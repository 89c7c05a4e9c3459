import type { CallResult } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { TextInput } from '../../ui/form/inputs.tsx';

/** Says which rule would answer a text now. */
export function KeywordTest({ appIds }: { appIds: readonly string[] }) {
  const t = useText();
  const [chosen, setAppId] = useState(appIds[0] ?? '');
  const appId = appIds.includes(chosen) ? chosen : (appIds[0] ?? '');
  const [content, setContent] = useState('');
  const [result, setResult] = useState<CallResult<'POST /keyword-rules/test'> | null>(null);
  const test = async () => {
    try {
      setResult(await call('POST /keyword-rules/test', { body: { appId, content } }));
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <form
      className="conversation-keyword-test"
      aria-label={t('conversations.rules.test')}
      onSubmit={(event) => {
        event.preventDefault();
        if (content.trim() !== '') void test();
      }}
    >
      <div className="conversation-tools">
        {appIds.length > 1 && (
          <select
            className="input"
            aria-label={t('records.application')}
            value={appId}
            onChange={(event) => setAppId(event.target.value)}
          >
            {appIds.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
        <TextInput
          dir="auto"
          maxLength={1_000}
          aria-label={t('inbound.text')}
          value={content}
          onChange={(next) => {
            setContent(next);
            setResult(null);
          }}
        />
        <Button type="submit" disabled={content.trim() === ''}>
          {t('conversations.rules.test')}
        </Button>
      </div>
      <p className="small" role="status">
        {result !== null &&
          (result.isOptOut
            ? t('conversations.rules.test.optOut')
            : result.rule === null
              ? t('conversations.rules.test.none')
              : `${t('palette.kind.template')}: ${result.rule.templateName ?? '–'}`)}
      </p>
    </form>
  );
}
