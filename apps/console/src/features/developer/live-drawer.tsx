import { type LiveEvent, skippedType } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { BodyText } from '../../ui/data/body-text.tsx';
import { CopyButton, CopyText, DateTime } from '../../ui/data/text.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Facts, Section } from '../../ui/page/page.tsx';

/** The header by which a receiver knows an event again. */
const idHeader = 'webhook-id';

/** One event with the body that its callback has. */
export function LiveDrawer({ event, onClose }: { event: LiveEvent; onClose: () => void }) {
  const t = useText();
  const { id, ...body } = event;
  const text = JSON.stringify(body, null, 2);
  return (
    <Drawer
      title={event.type === skippedType ? '' : t(`callbacks.type.${event.type}`)}
      meta={<DateTime value={event.timestamp} style="stamp" />}
      onClose={onClose}
    >
      <Facts items={[{ key: 'id', label: idHeader, value: <CopyText text={id} label={idHeader} /> }]} />
      <Section title={t('callbacks.body')} aside={<CopyButton text={text} />}>
        <BodyText text={text} />
      </Section>
    </Drawer>
  );
}
