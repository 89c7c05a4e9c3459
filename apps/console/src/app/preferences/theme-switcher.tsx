import { Monitor, Moon, Sun } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';
import { setColorChoice, useColorChoice, useColorMode } from '../../ui/theme/color-mode.ts';

const choices = [
  { value: 'light', icon: Sun, label: 'ui.theme.light' },
  { value: 'dark', icon: Moon, label: 'ui.theme.dark' },
  { value: 'system', icon: Monitor, label: 'ui.theme.system' },
] as const;

/** Light, dark, or as the device has it. */
export function ThemeSwitcher({ named = false }: { named?: boolean }) {
  const t = useText();
  const choice = useColorChoice();
  const mode = useColorMode();
  return (
    <Popover
      align="end"
      label={t('ui.theme')}
      button={{
        variant: 'quiet',
        size: 'small',
        icon: mode === 'dark' ? Moon : Sun,
        'aria-label': t('ui.theme'),
        title: t('ui.theme'),
        label: named ? t('ui.theme') : undefined,
      }}
    >
      {(close) =>
        choices.map(({ value, icon, label }) => (
          <MenuItem
            key={value}
            icon={<Icon of={icon} />}
            chosen={choice === value}
            onClick={() => {
              setColorChoice(value);
              close();
            }}
          >
            {t(label)}
          </MenuItem>
        ))
      }
    </Popover>
  );
}
