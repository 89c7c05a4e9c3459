import type { ShortLink } from '@pahatid/contract';
import { Link2 } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Mono } from '../../ui/data/text.tsx';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';
import { splitLastLine } from './split-last-line.ts';

interface LinkMenuProps {
  links: readonly ShortLink[];
  content: string;
  /** The line by which recipients leave, as the text would have it. */
  lastLine: string;
  onChange: (content: string) => void;
}

/** Puts a short link into the text: at its end, or before the line by which recipients leave. */
export function LinkMenu({ links, content, lastLine, onChange }: LinkMenuProps) {
  const t = useText();
  if (links.length === 0) return null;
  const insert = ({ domain, code }: ShortLink) => {
    const [start, after] = splitLastLine(content, lastLine);
    const before = start.trimEnd();
    onChange(`${before}${before === '' ? '' : ' '}${domain}/s/${code}${after}`);
  };
  return (
    <Popover button={{ size: 'small', icon: Link2, label: t('templates.link.add') }}>
      {(close) => (
        <div className="templates-links">
          {links.map((link) => (
            <MenuItem
              key={link.linkId}
              onClick={() => {
                insert(link);
                close();
              }}
            >
              <bdi>{link.linkName}</bdi>{' '}
              <span className="ink-3 small">
                <Mono>{`${link.domain}/s/${link.code}`}</Mono>
                {link.linkState === 'pending' && ` · ${t('shortLinks.linkState.pending')}`}
              </span>
            </MenuItem>
          ))}
        </div>
      )}
    </Popover>
  );
}
