import type { Template } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Bar } from '../../ui/data/pictures.tsx';
import { Count, DateTime } from '../../ui/data/text.tsx';
import { Facts, Section } from '../../ui/page/page.tsx';

/** In a list: the share that was delivered, and of how many. */
export function TemplateUsageCell({ template }: { template: Template }) {
  const t = useText();
  const formats = useFormats();
  const { usage } = template;
  if (!usage || usage.acceptedCount === 0) return <span className="ink-3">{t('templates.usage.none')}</span>;
  return (
    <span className="templates-usage">
      <bdi dir="ltr">{formats.percent(usage.deliveredCount / usage.acceptedCount)}</bdi>
      <span className="cell-note">{t('templates.usage.of', { count: usage.acceptedCount })}</span>
    </span>
  );
}

export function TemplateUsage({ template }: { template: Template }) {
  const t = useText();
  const formats = useFormats();
  const { usage } = template;
  if (!usage) return null;
  const { taskCount, acceptedCount, deliveredCount, undeliveredCount, lastTime } = usage;
  return (
    <Section title={t('templates.usage')}>
      {lastTime === null && acceptedCount === 0 ? (
        <p className="ink-3">{t('templates.usage.none')}</p>
      ) : (
        <div className="stack">
          {acceptedCount > 0 && (
            <div className="stack templates-rate">
              <span className="strong">
                {t('templates.usage.rate', { rate: formats.percent(deliveredCount / acceptedCount) })}
              </span>
              <Bar
                parts={[
                  { kind: 'done', share: deliveredCount / acceptedCount },
                  { kind: 'bad', share: undeliveredCount / acceptedCount },
                ]}
              />
            </div>
          )}
          <Facts
            items={[
              { key: 'tasks', label: t('templates.usage.tasks'), value: <Count value={taskCount} /> },
              { key: 'accepted', label: t('templates.usage.accepted'), value: <Count value={acceptedCount} /> },
              { key: 'delivered', label: t('templates.usage.delivered'), value: <Count value={deliveredCount} /> },
              {
                key: 'undelivered',
                label: t('templates.usage.undelivered'),
                value: <Count value={undeliveredCount} />,
              },
              { key: 'last', label: t('templates.usage.last'), value: <DateTime value={lastTime} /> },
            ]}
          />
        </div>
      )}
    </Section>
  );
}
