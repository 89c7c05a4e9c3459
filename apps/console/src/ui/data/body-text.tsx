import './body-text.css';

interface BodyTextProps {
  /** As sent or received. */
  text: string;
  /** JSON with line ends and indents. */
  isPretty?: boolean;
}

/** The body of a request, response or event. It scrolls inside. */
export function BodyText({ text, isPretty = false }: BodyTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre className="body-text" dir="ltr" tabIndex={0}>
      {isPretty ? prettyJson(text) : text}
    </pre>
  );
}

/** Formats for reading; text that is not JSON, or was cut off, stays as it is. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
