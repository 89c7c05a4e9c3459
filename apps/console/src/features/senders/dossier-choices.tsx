interface ChoicesProps {
  items: readonly { value: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Some of a few, as boxes to tick. */
export function Choices({ items, chosen, onChange }: ChoicesProps) {
  return (
    <div className="dossier-choices">
      {items.map(({ value, label }) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
          <bdi>{label}</bdi>
        </label>
      ))}
    </div>
  );
}
