import { findKeyBeginning } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { CornerDownLeft, LoaderCircle, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { Layer } from '../../ui/layers/layer.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { setColorChoice, useColorMode } from '../../ui/theme/color-mode.ts';
import { useMenu } from '../shell/nav-list.tsx';
import './palette.css';
import {
  actionOptions,
  foundOptions,
  listOptions,
  type PaletteOption,
  recentOptions,
  screenOptions,
} from './palette-options.ts';
import { showPalette, takeTypedAhead } from './palette-store.ts';
import { readRecent, rememberRecent } from './recent-items.ts';

/** As it is written on keyboards. */
const closeKey = 'Esc';
/** Pause in typing before the server is queried, so that not every letter causes a request. */
const quietMs = 160;
/** One letter of an alphabet matches everything; one character of Chinese is a word. */
const isEnough = (text: string) => text.length > 1 || /\P{ASCII}/u.test(text);

/** Search for everything the user can go to: screens, actions, and anything with a name, a number or an id. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useText();
  const id = useId();
  const [typed, setTyped] = useState('');
  // Not in the initial state, which React may ask for twice.
  useEffect(() => setTyped((now) => takeTypedAhead() + now), []);
  const text = typed.trim();
  const { options, busy, error, settled } = useOptions(text);
  const [at, setAt] = useState(0);
  const [shownFor, setShownFor] = useState(text);
  if (shownFor !== text) {
    setShownFor(text);
    setAt(0);
  }
  const place = Math.min(at, options.length - 1);
  const chosen = options[place];
  const run = useRun(onClose);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = options.length - 1;
    const next = { ArrowDown: place >= last ? 0 : place + 1, ArrowUp: place <= 0 ? last : place - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt(next);
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      // Results for the previous text are not what the user meant.
      if (settled || chosen.group !== 'found') run(chosen);
    }
  };
  const optionId = (option: PaletteOption) => `${id} ${option.key}`.replaceAll(/[^\w-]/g, '_');

  return (
    <Layer labelledBy={`${id}-title`} onClose={onClose} className="palette-layer">
      <div className="palette">
        <h2 id={`${id}-title`} className="visually-hidden">
          {t('palette.title')}
        </h2>
        <div className="palette-field">
          <Icon of={busy ? LoaderCircle : Search} {...(busy && { className: 'spinner' })} />
          <input
            data-autofocus
            type="text"
            role="combobox"
            dir="auto"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-label={t('palette.placeholder')}
            aria-expanded={options.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={chosen && optionId(chosen)}
            placeholder={t('palette.placeholder')}
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <button type="button" className="palette-close" onClick={onClose}>
            <span className="palette-esc" aria-hidden="true">
              <kbd dir="ltr">{closeKey}</kbd>
            </span>
            <Icon of={X} className="palette-cross" />
            <span className="visually-hidden">{t('ui.close')}</span>
          </button>
        </div>
        <div ref={list} className="palette-list" id={`${id}-list`} role="listbox" aria-label={t('palette.title')}>
          {[...Map.groupBy(options, (option) => option.group)].map(([group, members]) => (
            // biome-ignore lint/a11y/useSemanticElements: options stand in groups of their list box, not in fieldsets.
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <div className="palette-group" id={`${id}-${group}`}>
                {t(`palette.group.${group}`)}
              </div>
              {members.map((option) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the focus stays in the field, whose keys choose.
                <div
                  key={option.key}
                  id={optionId(option)}
                  role="option"
                  aria-selected={option === chosen}
                  className={classNames('palette-option', option === chosen && 'is-chosen')}
                  onClick={() => run(option)}
                  onPointerMove={() => option !== chosen && setAt(options.indexOf(option))}
                >
                  <Option option={option} />
                </div>
              ))}
            </div>
          ))}
        </div>
        {options.length === 0 && settled && <p className="palette-nothing small ink-2">{t('palette.nothing')}</p>}
        {error && (
          <p className="palette-nothing small tone-danger" role="alert">
            {t('palette.failed')} {errorText(error)}
          </p>
        )}
        <p className="visually-hidden" role="status">
          {settled && text !== '' && t('palette.count', { count: options.length })}
        </p>
        <footer className="palette-foot tiny ink-3" aria-hidden="true">
          <span>
            <kbd>↑</kbd>
            <kbd>↓</kbd> {t('palette.foot.move')}
          </span>
          <span>
            <kbd>
              <Icon of={CornerDownLeft} size="small" />
            </kbd>{' '}
            {t('palette.foot.open')}
          </span>
          <span className="grow" />
          <span>
            <kbd>?</kbd> {t('palette.foot.keys')}
          </span>
        </footer>
      </div>
    </Layer>
  );
}

function Option({ option: { icon, title, note, state } }: { option: PaletteOption }) {
  return (
    <>
      <Icon of={icon} />
      <span className="palette-text">
        <bdi className="clip">{title}</bdi>
        {note && <bdi className="tiny ink-3 clip">{note}</bdi>}
      </span>
      {state && <StatusTag {...state.look}>{state.label}</StatusTag>}
    </>
  );
}

/** Returns the options for a text: without one, the recent places and every screen. */
function useOptions(text: string) {
  const t = useText();
  const formats = useFormats();
  const { userId } = useSession().user;
  const entries = useMenu();
  const write = useMay('owner', 'member');
  const dark = useColorMode() === 'dark';
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(isEnough(text) ? (findKeyBeginning(text) ?? text) : ''), quietMs);
    return () => clearTimeout(timer);
  }, [text]);
  const isAsked = asked !== '' && text !== '';
  const search = useCall('GET /search', { query: { q: asked } }, { enabled: isAsked, keepPrevious: true });
  const found = isAsked && search.data ? search.data.items : [];
  const screens = screenOptions(text, entries, t);
  const actions = actionOptions(text, { write, dark }, t);
  const options =
    text === ''
      ? [...recentOptions(readRecent(userId), t), ...screens, ...actions]
      : [
          ...screens,
          ...foundOptions(found, t, (instant) => formats.date(instant, 'short')),
          ...actions,
          ...(isEnough(text) ? listOptions(text, t) : []),
        ];
  const isBehind = isEnough(text) && (asked !== text || search.isFetching);
  return { options, busy: isBehind, settled: !isBehind, error: isAsked ? search.error : null };
}

/** Runs the choice after the window has closed: focus is restored first. */
function useRun(onClose: () => void) {
  const navigate = useNavigate();
  const { userId } = useSession().user;
  const dark = useColorMode() === 'dark';
  return ({ target, recent }: PaletteOption) => {
    if (recent) rememberRecent(userId, recent);
    onClose();
    if ('to' in target) void navigate({ to: target.to, search: target.search });
    else if (target.action === 'theme') setColorChoice(dark ? 'light' : 'dark');
    else showPalette('shortcuts');
  };
}
