import type { ApplicationDetail } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Section } from '../../ui/page/page.tsx';
import { EndpointPart } from './endpoint-part.tsx';

interface ApplicationCallbacksProps {
  application: Pick<ApplicationDetail, 'callback'>;
  mayWrite: boolean;
  /** Whether the reader has the screen with the log. */
  hasLog: boolean;
}

/** The callbacks part of an application's drawer. */
export function ApplicationCallbacks({ application: { callback }, mayWrite, hasLog }: ApplicationCallbacksProps) {
  const t = useText();
  return (
    <Section
      title={t('callbacks.title')}
      aside={
        callback &&
        hasLog && (
          <ButtonLink
            variant="link"
            size="small"
            to="/developer"
            search={{ tab: 'callbacks', endpointId: callback.endpointId }}
          >
            {t('callbacks.log')}
          </ButtonLink>
        )
      }
    >
      {callback ? (
        <EndpointPart endpoint={callback} mayWrite={mayWrite} />
      ) : (
        <p className="ink-3">{t(mayWrite ? 'callbacks.none' : 'applications.callbackUrl.none')}</p>
      )}
    </Section>
  );
}
