import type { CpaasCopy } from '../../copy/service-shapes.ts';

/** Middles of the rows of carriers, in units of the picture. */
const rows = [66, 156, 246] as const;
const carriers = ['Globe', 'Smart', 'DITO'] as const;

interface BoxProps {
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  text: string;
}

function Box({ x, y, width, height, title, text }: BoxProps) {
  const middle = x + width / 2;
  return (
    <g>
      <rect className="flow-box" x={x + 0.5} y={y + 0.5} width={width} height={height} rx={12} />
      <text className="is-title" x={middle} y={y + height / 2 - 3}>
        {title}
      </text>
      <text x={middle} y={y + height / 2 + 16}>
        {text}
      </text>
    </g>
  );
}

const Pane = ({ x, y, className }: { x: number; y: number; className: string }) => (
  <rect className={className} x={x - 9} y={y - 9} width={18} height={18} rx={4.5} />
);

/** The way of messages from the customer's software to phones, and back. */
export function FlowPicture({ copy }: { copy: CpaasCopy['flow'] }) {
  const [software, engine, networks, phones] = copy.columns;
  return (
    <svg viewBox="0 0 1056 330" aria-hidden="true">
      <text className="is-title" x={84} y={16}>
        {software}
      </text>
      <text className="is-title" x={430} y={16}>
        {engine}
      </text>
      <text className="is-title" x={762} y={16}>
        {networks}
      </text>
      <text className="is-title" x={990} y={16}>
        {phones}
      </text>
      <path className="flow-line" d="M168 112H330M168 208H330" />
      {rows.map((y) => (
        <path key={y} className="flow-line" d={`M530 156C610 156 610 ${y} 682 ${y}M842 ${y}H966`} />
      ))}
      <Box x={0} y={82} width={168} height={60} title={copy.http[0]} text={copy.http[1]} />
      <Box x={0} y={178} width={168} height={60} title={copy.smpp[0]} text={copy.smpp[1]} />
      <rect className="flow-engine" x={330.5} y={40.5} width={200} height={232} rx={18} />
      {copy.steps.map((step, index) => (
        <g key={step}>
          <rect className="flow-step" x={344} y={70 + index * 40} width={172} height={30} rx={8} />
          <Pane x={361} y={85 + index * 40} className="is-done" />
          <text className="is-step" x={380} y={90 + index * 40}>
            {step}
          </text>
        </g>
      ))}
      <text className="is-answer" x={430} y={254}>
        {copy.answered}
      </text>
      {carriers.map((name, index) => (
        <Box key={name} x={682} y={(rows[index] ?? 0) - 26} width={160} height={52} title={name} text="SMPP 3.4" />
      ))}
      <Pane x={222} y={112} className="is-half" />
      <Pane x={246} y={112} className="is-moving" />
      <Pane x={609} y={111} className="is-done" />
      <Pane x={609} y={201} className="is-moving" />
      <Pane x={904} y={66} className="is-done" />
      <Pane x={904} y={156} className="is-done" />
      {rows.map((y, index) => (
        <g key={y}>
          <rect className="flow-phone" x={974.5} y={y - 26.5} width={32} height={54} rx={8} />
          <rect className="flow-screen" x={977.5} y={y - 23.5} width={26} height={48} rx={5.5} />
          <rect
            className={['is-answered', 'is-failed', 'is-empty'][index]}
            x={982}
            y={y - 8}
            width={17}
            height={17}
            rx={4.5}
          />
        </g>
      ))}
      <path className="flow-sign" d="m986.500 66.500 3 3 5-6M987 153l7 7m0-7-7 7" />
      <path className="flow-back" d="M990 284V308H84V250M78 258l6-9 6 9" />
      <rect className="flow-gap" x={430} y={296} width={228} height={24} />
      <text className="is-step is-middle" x={544} y={313}>
        {copy.back}
      </text>
    </svg>
  );
}
