const reachable = 'a[href], button, input, select, textarea, [tabindex="0"]';

/**
 * For `ref`: a scrolling element without focusable content becomes focusable itself, so that the keyboard scrolls it.
 */
export function reachOverflow(part: HTMLElement | null) {
  if (part === null) return undefined;
  const look = () => {
    if (part.scrollHeight > part.clientHeight && part.querySelector(reachable) === null) part.tabIndex = 0;
    else part.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver(look);
  for (const each of [part, ...part.children]) observer.observe(each);
  return () => {
    observer.disconnect();
  };
}
