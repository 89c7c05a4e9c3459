import type { WaitingCounts } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import type { ScreenPath } from '../screens.ts';

/** While the page is looked at. Actions on what is counted refresh it as they do the first screen. */
const rereadMs = 15_000;

/** What waits for the user, and what is sending now; undefined until it is known. */
export function useWaiting(): WaitingCounts | undefined {
  return useCall('GET /overview/waiting', undefined, { refetchInterval: rereadMs }).data;
}

/** Returns how much of it is on a screen. */
export function countOf(path: ScreenPath, waiting: WaitingCounts | undefined): number {
  if (path === '/bulkMessage') return waiting?.tasks ?? 0;
  if (path === '/smsTemplate') return waiting?.templates ?? 0;
  if (path === '/sender') return waiting?.senders ?? 0;
  if (path === '/conversation') return waiting?.conversations ?? 0;
  if (path === '/review') return waiting?.reviews ?? 0;
  if (path === '/approvals') return waiting?.approvals ?? 0;
  if (path === '/dossier') return waiting?.dossiers ?? 0;
  if (path === '/accountRequest') return waiting?.accountRequests ?? 0;
  return 0;
}
