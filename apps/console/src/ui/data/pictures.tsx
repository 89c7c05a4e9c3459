import { BatteryFull, MessageSquare, Signal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../base/class-names.ts';
import { Icon } from '../base/icon.tsx';
import { reachOverflow } from '../layers/reach-overflow.ts';
import type { PaneKind } from '../panes/panes.tsx';
import { Glyph } from '../status/glyphs.tsx';
import type { StatusLook } from '../status/status-tag.tsx';
import './data.css';

/** Plain text, or the value of a variable, which is highlighted. */
export type PreviewPart = string | { variable: string };

/** Splits a template's text at its `{1}` marks and fills in values; an empty value leaves the mark itself. */
export function fillPreview(content: string, values: readonly string[] = []): PreviewPart[] {
  return content
    .split(/(\{\d+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const mark = /^\{(\d+)\}$/.exec(part);
      return mark ? { variable: values[Number(mark[1]) - 1] || part } : part;
    });
}

interface PhonePreviewProps {
  sender: string;
  /** One message; nothing draws an empty conversation. */
  parts: readonly PreviewPart[];
  /** One more below it, in plain text. */
  another?: string;
  /** When it arrives, as an instant; now by default. */
  at?: string;
}

/** A phone with the message as its reader sees it. */
export function PhonePreview({ sender, parts, another, at }: PhonePreviewProps) {
  const t = useText();
  const formats = useFormats();
  const time = formats.date(at ?? Date.now(), 'minute');
  return (
    <figure className="phone" aria-label={t('ui.phone.preview')}>
      <div className="phone-screen">
        <span className="phone-island" />
        <div className="phone-status" dir="ltr" aria-hidden="true">
          <bdi>{time}</bdi>
          <span className="row">
            <Icon of={Signal} size="small" />
            <Icon of={BatteryFull} size="small" />
          </span>
        </div>
        <div className="phone-sender">
          <div className="phone-avatar">
            <Icon of={MessageSquare} size="large" />
          </div>
          <bdi>{sender}</bdi>
        </div>
        <div ref={reachOverflow} className="phone-messages">
          {parts.length > 0 && (
            <>
              <span className="phone-when">{t('ui.phone.today', { time })}</span>
              <div className="phone-bubble" dir="auto">
                {parts.map((part, index) =>
                  typeof part === 'string' ? (
                    part
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order.
                    <mark key={index}>{part.variable}</mark>
                  ),
                )}
              </div>
              {another !== undefined && (
                <div className="phone-bubble" dir="auto">
                  {another}
                </div>
              )}
            </>
          )}
        </div>
      </div>
    </figure>
  );
}

export interface SegmentMeterProps {
  encoding: 'gsm' | 'ucs2';
  /** Characters as the encoding counts them. */
  used: number;
  segments: number;
  /** What one segment holds at this length: 160 or 153, 70 or 67. */
  perSegment: number;
  /** Characters that forced UCS-2. */
  forcedBy?: readonly string[];
}

/** Encoding, characters and segments of a text, as it is typed. */
export function SegmentMeter({ encoding, used, segments, perSegment, forcedBy = [] }: SegmentMeterProps) {
  const t = useText();
  const count = Math.max(1, segments);
  const limit = count * perSegment;
  return (
    <div className="segment-meter">
      <div className="row">
        <span className="tag">{t(`ui.segment.encoding.${encoding}`)}</span>
        <bdi dir="ltr" className="num ink-2 grow">
          {t('ui.segment.characters', { used, limit })}
        </bdi>
        <output className="strong num">{t('ui.segments', { count: segments })}</output>
      </div>
      <div className="parts" aria-hidden="true">
        <i style={{ flexGrow: Math.min(used, limit) }} />
        {used < limit && <i className="is-room" style={{ flexGrow: limit - used }} />}
      </div>
      {encoding === 'ucs2' && forcedBy.length > 0 && (
        <p className="tiny ink-3">
          {t('ui.segment.forced', { count: forcedBy.length, characters: forcedBy.slice(0, 12).join(' ') })}
        </p>
      )}
    </div>
  );
}

interface CostReceiptProps {
  lines: readonly { key: string; label: ReactNode; value: ReactNode }[];
  totalLabel: ReactNode;
  total: ReactNode;
  note?: ReactNode;
}

/** A cost as a torn receipt: lines, tear, total. */
export function CostReceipt({ lines, totalLabel, total, note }: CostReceiptProps) {
  return (
    <div className="receipt">
      <dl>
        {lines.map(({ key, label, value }) => (
          <div className="line" key={key}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <hr className="tear" />
      <dl>
        <div className="total">
          <dt>{totalLabel}</dt>
          <dd>{total}</dd>
        </div>
      </dl>
      {note && <div className="receipt-note">{note}</div>}
    </div>
  );
}

export interface TimelineEntry {
  key: string;
  look: StatusLook;
  title: ReactNode;
  note?: ReactNode;
  /** Usually `<DateTime style="time">`. */
  time: ReactNode;
}

/** What happened, newest first. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="timeline">
      {entries.map(({ key, look, title, note, time }) => (
        <li key={key}>
          <span className={`tone-${look.tone}`}>
            <Glyph name={look.glyph} />
          </span>
          <span>{title}</span>
          {time}
          {note && <span className="timeline-note">{note}</span>}
        </li>
      ))}
    </ol>
  );
}

export interface FunnelStage {
  key: string;
  title: ReactNode;
  rows: readonly {
    key: string;
    label: ReactNode;
    value: number;
    kind: PaneKind;
    /** Losses before this stage: "412 rejected · 316 duplicate". */
    losses?: ReactNode;
  }[];
}

/** Consecutive stages, each bar measured against `total`. */
export function FunnelBars({ stages, total }: { stages: readonly FunnelStage[]; total: number }) {
  const formats = useFormats();
  return (
    <div className="funnel">
      {stages.map((stage) => (
        <div key={stage.key}>
          <h3 className="funnel-stage">{stage.title}</h3>
          {stage.rows.map((row) => (
            <div className="funnel-row" key={row.key}>
              <span>{row.label}</span>
              <bdi dir="ltr" className="value">
                {formats.number(row.value)}
              </bdi>
              <Bar parts={[{ kind: row.kind, share: total > 0 ? row.value / total : 0 }]} />
              <span className="losses">{row.losses}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Shares of a whole in one bar; the numbers are next to it. A small share remains visible. */
export function Bar({ parts }: { parts: readonly { kind: PaneKind; share: number }[] }) {
  return (
    <span className="bar" aria-hidden="true">
      {parts.map(({ kind, share }) => (
        <i
          key={kind}
          className={classNames(`pane-${kind}`)}
          style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%`, minWidth: share > 0 ? 3 : 0 }}
        />
      ))}
    </span>
  );
}
