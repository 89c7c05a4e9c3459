import type { SendRecord } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useZone } from '../../lib/format/zone.ts';
import { dayStart } from '../../lib/format/zoned-time.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { DateTime, Mono } from '../../ui/data/text.tsx';
import { Section } from '../../ui/page/page.tsx';
import { RecordStatus } from './record-columns.tsx';

const shown = 5;
const lookBackDays = 89;

/** Other messages to this phone in the last months; empty if the number is hidden from the user. */
export function SamePhone({ record }: { record: Pick<SendRecord, 'messageId' | 'phoneAddress'> }) {
  const t = useText();
  const zone = useZone();
  const [, setView] = useSearchParams(['open']);
  const isKnown = /^\d+$/.test(record.phoneAddress);
  const asked = { phoneAddress: record.phoneAddress, from: dayStart(zone, lookBackDays) };
  const { data } = useCall(
    'GET /records',
    { query: { ...asked, limit: String(shown + 1) } },
    { enabled: isKnown, staleTime: 30_000 },
  );
  const others = (data?.items ?? []).filter(({ messageId }) => messageId !== record.messageId).slice(0, shown);
  if (others.length === 0) return null;
  return (
    <Section
      title={t('records.samePhone')}
      aside={
        <ButtonLink variant="link" size="small" to="/bussinessStatistics/sendRecord" search={asked}>
          {t('inbound.records')}
        </ButtonLink>
      }
    >
      <ul className="records-others">
        {others.map((row) => (
          <li key={row.messageId}>
            <button type="button" className="records-other" onClick={() => setView({ open: row.messageId })}>
              <DateTime value={row.clientRequestTime} style="short" />
              <Mono>{row.clientSid}</Mono>
              <bdi className="records-other-text">{row.fullMessage}</bdi>
              <RecordStatus record={row} t={t} pill />
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
