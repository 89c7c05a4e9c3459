import type { ReactNode } from 'react';
import { Button } from '../base/button.tsx';
import { CopyText } from '../data/text.tsx';
import { Facts, Note } from '../page/page.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceDialogProps {
  title: string;
  warning: string;
  secrets: readonly { key: string; label: string; text: string }[];
  doneLabel: string;
  /** Below the secrets. */
  children?: ReactNode;
  onClose: () => void;
}

/** Shows secrets, once only. A click outside does not close it: they cannot be shown again. */
export function ShownOnceDialog({ title, warning, secrets, doneLabel, children, onClose }: ShownOnceDialogProps) {
  return (
    <Dialog
      title={title}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {doneLabel}
        </Button>
      }
    >
      <div className="shown-once">
        <Note tone="warning">{warning}</Note>
        <Facts
          items={secrets.map(({ key, label, text }) => ({ key, label, value: <CopyText text={text} label={label} /> }))}
        />
        {children}
      </div>
    </Dialog>
  );
}
