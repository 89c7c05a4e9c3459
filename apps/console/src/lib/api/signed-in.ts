/** The tabs of a browser share one session: who signs in in one of them has changed it for all. */
const name = 'pahatid_session';

export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage('signedIn');
  channel.close();
}

/** Called when somebody signed in in another tab. */
export function onSignedInElsewhere(listener: () => void): void {
  new BroadcastChannel(name).addEventListener('message', listener);
}
