/** The calculator: phones × segments × the least and the highest price of the table above it. */
const form = document.querySelector<HTMLFormElement>('#calculator');
const unitsPerPeso = 10_000;

const money = (units: number) =>
  `₱${(units / unitsPerPeso).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

function compute(calculator: HTMLFormElement) {
  const given = new FormData(calculator);
  const [phones, segments] = [Number(given.get('phones')), Number(given.get('segments'))];
  const prices = [...document.querySelectorAll<HTMLElement>(`[data-type="${Number(given.get('type'))}"]`)].map((cell) =>
    Number(cell.dataset['units']),
  );
  const isWhole = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
  const output = calculator.querySelector('output');
  if (!output) return;
  if (!isWhole(phones, 2_000_000) || !isWhole(segments, 10)) {
    output.textContent = calculator.dataset['invalid'] ?? '';
    output.className = 'is-problem';
    return;
  }
  output.className = '';
  const [least, most] = [Math.min(...prices), Math.max(...prices)].map((price) => phones * segments * price);
  output.textContent =
    least === most ? money(most ?? 0) : `${money(least ?? 0)} – ${money(most ?? 0)} (${calculator.dataset['range']})`;
}

if (form) {
  form.addEventListener('input', () => compute(form));
  form.addEventListener('submit', (event) => event.preventDefault());
  compute(form);
}

export {};
