import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { type DateStyle, useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { copyText } from './copy-text.ts';
import './data.css';

/** Numbers, ratios, phones: left to right in every language. */
export const Bdi = ({ children }: { children: ReactNode }) => (
  <bdi dir="ltr" className="num">
    {children}
  </bdi>
);

/** Ids, codes, addresses: mono, left to right. */
export const Mono = ({ children }: { children: ReactNode }) => (
  <bdi dir="ltr" className="mono">
    {children}
  </bdi>
);

/** Shown for a missing value. */
export const Dash = () => <span className="ink-3">–</span>;

/** The ends of a long id; the whole one on hover. */
export function ShortId({ id }: { id: string }) {
  return (
    <bdi dir="ltr" className="mono" title={id}>
      {id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id}
    </bdi>
  );
}

/** An instant in the viewer's zone; the zone on hover. A dash for null. */
export function DateTime({ value, style = 'dateTime' }: { value: string | null | undefined; style?: DateStyle }) {
  const formats = useFormats();
  if (!value) return <Dash />;
  return (
    <time
      dateTime={value}
      title={`${formats.date(value, 'stamp')} ${formats.zoneName} ${formats.zoneOffset(new Date(value))}`}
    >
      <bdi>{formats.date(value, style)}</bdi>
    </time>
  );
}

const tickMs = 30_000;

/** How long ago, or in how long; moves with the clock. */
export function RelativeTime({ value }: { value: string | null | undefined }) {
  const formats = useFormats();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  if (!value) return <Dash />;
  return (
    <time dateTime={value} title={formats.date(value)}>
      {formats.relative(value, now)}
    </time>
  );
}

/** ₱ from an integer of 1/10,000 peso; a dash for null. */
export function Money({ value }: { value: number | null | undefined }) {
  const formats = useFormats();
  return value === null || value === undefined ? <Dash /> : <Bdi>{formats.money(value)}</Bdi>;
}

/** A number with its thousands. */
export function Count({ value }: { value: number | null | undefined }) {
  const formats = useFormats();
  return value === null || value === undefined ? <Dash /> : <Bdi>{formats.number(value)}</Bdi>;
}

/**
 * Formats `639171234567` as `+63 917 123 4567`; other countries with a plus and unchanged; masked ones keep their
 * stars.
 */
export function formatPhone(msisdn: string): string {
  const digits = msisdn.replace(/^\+/, '');
  const philippine = /^63([\d*]{3})([\d*]{3})([\d*]{4})$/.exec(digits);
  if (philippine) return `+63 ${philippine[1]} ${philippine[2]} ${philippine[3]}`;
  return /^[\d*]{7,15}$/.test(digits) ? `+${digits}` : msisdn;
}

export function PhoneNumber({ value }: { value: string }) {
  return (
    <bdi dir="ltr" className="num" style={{ whiteSpace: 'nowrap' }}>
      {formatPhone(value)}
    </bdi>
  );
}

/** Copies a text and confirms it. `label` names the copied text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useText();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text, t))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button
      variant="quiet"
      size="small"
      icon={copied ? Check : Copy}
      aria-label={label ?? t('ui.copy')}
      title={label ?? t('ui.copy')}
      onClick={() => void copy()}
    />
  );
}

/** An id or a secret with its copy button. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  return (
    <span className="copy-text" data-own-click>
      <Mono>{text}</Mono>
      <CopyButton text={text} {...(label && { label })} />
    </span>
  );
}
