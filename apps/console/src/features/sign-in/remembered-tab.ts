/** How the last person in this browser signed in: that tab is shown first. Holds no name and no address. */
const storageKey = 'pahatid_sign_in';

type SignInTab = 'account' | 'email';

export function readTab(): SignInTab {
  try {
    return localStorage.getItem(storageKey) === 'email' ? 'email' : 'account';
  } catch {
    return 'account';
  }
}

export function keepTab(tab: SignInTab): void {
  try {
    localStorage.setItem(storageKey, tab);
  } catch {
    // Storage closed to us: the usual tab is shown next time.
  }
}
