/** The tabs of a browser share one session: a sign-in in one of them changes it for all. */
const name = 'pahatid_session';

export function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage('signedIn');
  channel.close();
}

/** Called when a user signed in in another tab. */
export function onSignedInElsewhere(listener: () => void): void {
  new BroadcastChannel(name).addEventListener('message', listener);
}
