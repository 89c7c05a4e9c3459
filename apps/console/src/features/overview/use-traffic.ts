import { useCall } from '../../lib/api/use-call.ts';

/** Rates are of ten seconds; more often than half of that shows nothing new. */
const refetchMs = 5_000;

/** The system's current traffic. */
export const useTraffic = () => useCall('GET /traffic', undefined, { keepPrevious: true, refetchInterval: refetchMs });
