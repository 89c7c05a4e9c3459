import { useEffect } from 'react';

/** The address is already that of the landing page; reloading it leaves nothing of the console in memory. */
export function LeaveConsole() {
  useEffect(() => window.location.reload(), []);
  return null;
}
