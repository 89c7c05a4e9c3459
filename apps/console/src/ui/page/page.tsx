import { type CSSProperties, type ReactNode, useId } from 'react';
import { classNames } from '../base/class-names.ts';
import { HeaderPlacesProvider, OutsideHeader, useHeaderPlaces } from './header-place.tsx';
import './page.css';

/** A part of the sign-in too, which takes it from its own file: the rest of these is not there. */
export { Note } from './note.tsx';

/** The body of a screen: `list` up to 1280 px, `form` 860, `prose` 640. */
export function Page({ width = 'list', children }: { width?: 'list' | 'form' | 'prose'; children: ReactNode }) {
  return (
    <HeaderPlacesProvider>
      <div className={classNames('page', width !== 'list' && `is-${width}`)}>{children}</div>
    </HeaderPlacesProvider>
  );
}

interface PageHeaderProps {
  title: ReactNode;
  /** One fact about the page. */
  fact?: ReactNode;
  /** At the far end; at most one primary button. */
  actions?: ReactNode;
}

/** The h1 of a screen. */
export function PageHeader({ title, fact, actions }: PageHeaderProps) {
  const { refs } = useHeaderPlaces();
  return (
    <header className="page-header">
      <div className="titles">
        <h1>{title}</h1>
        {fact && <p>{fact}</p>}
      </div>
      <div className="header-views" ref={refs.views} />
      <div className="actions" ref={refs.tools} />
      <div className="actions" ref={refs.actions}>
        {actions}
      </div>
    </header>
  );
}

/** A part of a page or drawer under an h2, without a frame. */
export function Section({ title, aside, children }: { title: ReactNode; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <h2 className="section-title grow" id={id}>
          {title}
        </h2>
        {aside}
      </div>
      <OutsideHeader>{children}</OutsideHeader>
    </section>
  );
}

interface PanelProps {
  title?: ReactNode;
  /** At the far end of the title. */
  aside?: ReactNode;
  /** Children reach the frame, for lists with their own rows. */
  flush?: boolean;
  children: ReactNode;
}

/** A framed box. */
export function Panel({ title, aside, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={title ? id : undefined}>
      {(title || aside) && (
        <div className="panel-head">
          {title && (
            <h2 className="panel-title grow" id={id}>
              {title}
            </h2>
          )}
          {aside}
        </div>
      )}
      <div className={classNames('panel-body', !title && 'is-first', flush && 'is-flush')}>{children}</div>
    </section>
  );
}

export interface Kpi {
  key: string;
  label: ReactNode;
  value: ReactNode;
  /** The value is text, which needs more room than a number. */
  isText?: boolean;
  /** Smaller, after the value: %. */
  unit?: string;
  note?: ReactNode;
  /** Its course, below the rest: a `Sparkline`. */
  course?: ReactNode;
}

/** Figures side by side; one wide and the rest in pairs on a phone. */
export function KpiStrip({ items, label }: { items: readonly Kpi[]; label: string }) {
  return (
    <dl className="kpi-strip" aria-label={label} style={{ '--kpis': items.length } as CSSProperties}>
      {items.map(({ key, label: name, value, isText, unit, note, course }) => (
        <div className="kpi" key={key}>
          <dt>{name}</dt>
          <dd>
            <bdi className={isText ? 'value is-text' : 'value'} dir="auto">
              {value}
              {unit && <small>{unit}</small>}
            </bdi>
            <span className="kpi-note">{note}</span>
            {course}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Names and values of one thing. */
export function Facts({ items }: { items: readonly { key: string; label: ReactNode; value: ReactNode }[] }) {
  return (
    <dl className="facts">
      {items.map(({ key, label, value }) => (
        <FactRow key={key} label={label} value={value} />
      ))}
    </dl>
  );
}

const FactRow = ({ label, value }: { label: ReactNode; value: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </>
);
