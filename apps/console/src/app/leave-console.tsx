import { useEffect } from 'react';

/** The address is that of the landing page by now; loading it anew leaves nothing of the console in memory. */
export function LeaveConsole() {
  useEffect(() => window.location.reload(), []);
  return null;
}
