import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Icon } from '../base/icon.tsx';
import { useTopLayer } from '../layers/layer-stack.ts';
import './feedback.css';
import { RequestId } from './request-id.tsx';
import { dismissToast, useToasts } from './toast-store.ts';

const icons = { success: CircleCheck, danger: CircleAlert, info: Info } as const;

/**
 * Container of the toasts; once, at the root. It moves into the top dialog, since elements outside of one are inert.
 */
export function Toaster() {
  const t = useText();
  const toasts = useToasts();
  const layer = useTopLayer();
  return createPortal(
    <div className="toaster" role="status" aria-live="polite">
      {toasts.map(({ id, tone, text, requestId }) => (
        <div key={id} className={`toast is-${tone}`}>
          <Icon of={icons[tone]} />
          <span className="grow">
            {text}
            {requestId && <RequestId id={requestId} />}
          </span>
          <Button variant="quiet" size="small" icon={X} aria-label={t('ui.close')} onClick={() => dismissToast(id)} />
        </div>
      ))}
    </div>,
    layer,
  );
}
