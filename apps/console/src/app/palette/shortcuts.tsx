import { useMay } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { useMenu } from '../shell/nav-list.tsx';
import './palette.css';
import { setSingleKeys, useSingleKeys } from '../../lib/single-keys.ts';
import { createKey, goKeys } from './shortcut-keys.ts';

interface Line {
  keys: readonly string[];
  does: string;
}

/** Lists the shortcuts of every screen, with the switch for single-key shortcuts. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const singleKeys = useSingleKeys();
  const entries = useMenu();
  const everywhere: Line[] = [
    { keys: ['Ctrl', 'K'], does: t('palette.shortcut.palette') },
    { keys: ['/'], does: t('palette.shortcut.search') },
    { keys: ['?'], does: t('palette.shortcut.list') },
    ...(mayWrite ? [{ keys: [createKey.toUpperCase()], does: t('palette.act.create') }] : []),
    { keys: ['J', 'K'], does: t('palette.shortcut.rows') },
    { keys: ['Space'], does: t('ui.peek') },
    { keys: ['Esc'], does: t('palette.shortcut.close') },
  ];
  const screens = entries.flatMap((entry): Line[] => {
    const letter = goKeys[entry.path];
    return letter === undefined ? [] : [{ keys: ['G', letter.toUpperCase()], does: t(entry.label) }];
  });
  return (
    <Dialog title={t('palette.shortcuts')} width="wide" onClose={onClose}>
      <div className="shortcut-columns">
        <ShortcutList title={t('palette.shortcuts.everywhere')} lines={everywhere} />
        <ShortcutList title={t('palette.shortcuts.screens')} lines={screens} />
      </div>
      <label className="shortcut-switch">
        <input type="checkbox" checked={singleKeys} onChange={(event) => setSingleKeys(event.target.checked)} />
        <span>
          {t('palette.shortcuts.single')}
          <span className="tiny ink-3">{t('palette.shortcuts.single.hint')}</span>
        </span>
      </label>
    </Dialog>
  );
}

function ShortcutList({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <section>
      <h3 className="small ink-2 medium">{title}</h3>
      <dl className="shortcut-list">
        {lines.map(({ keys, does }) => (
          <div key={keys.join(' ')}>
            <dt>{does}</dt>
            <dd dir="ltr">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
