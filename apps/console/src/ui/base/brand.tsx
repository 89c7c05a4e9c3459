/** The mark: a hand and the message it gives over; the gap is the handing over. Never mirrored. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M8.5 4A3.5 3.5 0 0 1 12 7.5V28H8.5A3.5 3.5 0 0 1 5 24.5V7.5A3.5 3.5 0 0 1 8.5 4Z"
        fill="var(--primary)"
      />
      <path d="M15 4h6.5a7.5 7.5 0 0 1 0 15h-2.1L15 23.4Z" fill="var(--mango)" />
    </svg>
  );
}

export const productName = 'Pahatid';

/** Logo and name. */
export function Brand() {
  return (
    <span className="brand">
      <Mark />
      {productName}
    </span>
  );
}
