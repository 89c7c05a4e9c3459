import { useFormats } from '../../lib/format/formats.ts';

/** How much of a limit is used: "312 / 500" over a thin bar. */
export function Load({ used, of, label }: { used: number; of: number; label: string }) {
  const { number } = useFormats();
  const share = of === 0 ? 0 : Math.min(1, used / of);
  return (
    <span className="routing-load">
      <bdi dir="ltr" className="num">
        {number(used)} / {number(of)}
      </bdi>
      <span className="routing-load-bar" role="img" aria-label={`${label}: ${number(used)} / ${number(of)}`}>
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </span>
  );
}
