type Listener = () => void;

let listener: Listener | null = null;

/** The router says what to do when a call is answered "not signed in". */
export function onSessionEnded(next: Listener) {
  listener = next;
}

export function announceSessionEnded() {
  listener?.();
}
