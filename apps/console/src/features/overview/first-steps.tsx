import type { Overview } from '@pahatid/contract';
import { useMay } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Panel } from '../../ui/page/page.tsx';
import { Glyph } from '../../ui/status/glyphs.tsx';

type Step = Overview['steps'][number]['step'];

/** Screen of each step, with its form open. */
const places = {
  application: { to: '/application', search: { new: '1' } },
  template: { to: '/smsTemplate', search: { edit: 'new' } },
  approved: { to: '/smsTemplate', search: {} },
  sender: { to: '/sender', search: { new: '1' } },
  task: { to: '/bulkMessage/addMessage', search: {} },
} as const satisfies Record<Step, { to: string; search: Record<string, string> }>;

/** Steps of a new customer before the first message is sent; hidden when all are done. */
export function FirstSteps({ steps }: { steps: Overview['steps'] }) {
  const t = useText();
  const mayOwn = useMay('owner');
  const mayWrite = useMay('owner', 'member');
  const done = steps.filter((each) => each.done).length;
  const next = steps.find((each) => !each.done)?.step;
  return (
    <Panel
      title={t('overview.steps')}
      aside={<span className="small ink-2">{t('overview.steps.done', { done, total: steps.length })}</span>}
    >
      <ol className="overview-steps">
        {steps.map((each) => {
          const may = each.step === 'application' ? mayOwn : mayWrite;
          return (
            <li key={each.step} className={classNames('overview-step', each.done && 'is-done')}>
              <span className={each.done ? 'tone-success' : each.step === next ? 'tone-primary' : 'tone-neutral'}>
                <Glyph name={each.done ? 'done' : each.step === next ? 'half' : 'dashed'} />
              </span>
              <div className="grow">
                <p className="medium">
                  {t(`overview.step.${each.step}`)}
                  {each.done && <span className="visually-hidden">{` ${t('overview.step.done')}`}</span>}
                </p>
                <p className="tiny ink-2">{t(`overview.step.${each.step}.text`)}</p>
              </div>
              {each.step === next && may && (
                <ButtonLink size="small" {...places[each.step]}>
                  {t(`overview.step.${each.step}.act`)}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
