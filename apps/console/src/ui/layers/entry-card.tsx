import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Brand } from '../base/brand.tsx';
import { Button } from '../base/button.tsx';
import './entry-card.css';
import { Layer } from './layer.tsx';

interface EntryCardProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** The card over the landing page, for all that leads to being signed in. */
export function EntryCard({ title, onClose, children }: EntryCardProps) {
  const t = useText();
  const id = useId();
  return (
    <Layer className="entry" labelledBy={id} onClose={onClose} closeOnMask={false}>
      <div className="entry-card" tabIndex={-1}>
        <Button
          className="entry-close"
          variant="quiet"
          size="small"
          icon={X}
          aria-label={t('ui.close')}
          onClick={onClose}
        />
        <Brand />
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </Layer>
  );
}
