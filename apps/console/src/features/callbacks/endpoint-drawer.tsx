import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { EndpointStateTag, endpointName } from './callback-state.tsx';
import { EndpointPart } from './endpoint-part.tsx';

/** One endpoint, whichever events it receives. */
export function EndpointDrawer({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const t = useText();
  const mayWrite = useMay('owner');
  const read = useCall('GET /callback-endpoints/:endpointId', { params: { endpointId } }, { refetchInterval: 10_000 });
  const endpoint = read.data;
  if (!endpoint) return <LoadingDrawer title={t('callbacks.title')} read={read} onClose={onClose} />;
  return (
    <Drawer
      title={endpointName(t, endpoint)}
      state={<EndpointStateTag state={endpoint.state} pill />}
      actions={
        endpoint.appId !== null && (
          <ButtonLink to="/application" search={{ open: endpoint.appId }}>
            {t('records.application')}
          </ButtonLink>
        )
      }
      onClose={onClose}
    >
      <EndpointPart endpoint={endpoint} mayWrite={mayWrite} />
    </Drawer>
  );
}
