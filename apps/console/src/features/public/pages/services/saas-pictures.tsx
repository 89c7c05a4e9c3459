import { Glyph } from '../../../../ui/status/glyphs.tsx';
import type { SaasCopy } from '../../copy/service-shapes.ts';
import { SampleWindow } from './feature.tsx';

const tones = [
  { tone: 'danger', glyph: 'failed' },
  { tone: 'danger', glyph: 'failed' },
  { tone: 'warning', glyph: 'dots' },
] as const;

/** The template editor with findings in the text and below it. */
export function EditorPicture({ copy: { sample, write } }: { copy: SaasCopy }) {
  const { editor } = write;
  return (
    <SampleWindow name={editor.name} sample={sample}>
      <p className="editor-text">
        <code>{'{1}'}</code>
        {editor.before}
        <u>{editor.bad}</u>
        {editor.between}
        <u className="is-warning">’</u>
        {editor.after}
      </p>
      <p className="editor-counts">
        <span>{editor.cause}</span>
        <b>{editor.counts}</b>
      </p>
      <ul className="editor-findings">
        {editor.findings.map(({ text, reason, fix }, index) => (
          <li key={text}>
            <span className={`status tone-${tones[index]?.tone}`}>
              <Glyph name={tones[index]?.glyph ?? 'dots'} />
            </span>
            <span>
              {text}
              <small>{reason}</small>
            </span>
            <b>{fix}</b>
          </li>
        ))}
      </ul>
    </SampleWindow>
  );
}

/** What the check of a file finds. */
export function CheckPicture({ copy: { sample, check } }: { copy: SaasCopy }) {
  return (
    <SampleWindow
      name={check.file}
      aside={
        <span className="status tone-success">
          <Glyph name="done" />
          {check.read}
        </span>
      }
      sample={sample}
    >
      <div className="check-columns">
        <dl>
          {check.rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {check.sums.map(([name, value]) => (
            <div key={name} className="is-sum">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div>
          <b>{check.rejectedHeading}</b>
          <ul>
            {check.rejected.map(([text, line, reason]) => (
              <li key={text}>
                <span>
                  <bdi dir="ltr" className="mono">
                    {text}
                  </bdi>
                  <small>{line}</small>
                </span>
                <span className="is-danger">{reason}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </SampleWindow>
  );
}
