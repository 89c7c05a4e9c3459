import ApplicationsScreen from '../features/applications/route.tsx';
import { ApplicationCallbacks } from '../features/callbacks/application-callbacks.tsx';
import { BindTrace } from '../features/routing/bind-trace.tsx';
import { useSession } from '../lib/api/session.ts';

/** `/application`, with the callbacks of each application. */
export default function WholeApplicationsScreen() {
  const hasLog = useSession().user.kind === 'customer';
  return (
    <ApplicationsScreen
      trace={(pdus) => <BindTrace pdus={pdus} />}
      callbacks={(application, mayWrite) => (
        <ApplicationCallbacks application={application} mayWrite={mayWrite} hasLog={hasLog} />
      )}
    />
  );
}
