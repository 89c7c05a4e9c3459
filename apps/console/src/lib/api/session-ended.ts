type Listener = () => void;

let listener: Listener | null = null;

/** Registers the router's handler for a "not signed in" response. */
export function onSessionEnded(next: Listener) {
  listener = next;
}

export function announceSessionEnded() {
  listener?.();
}
