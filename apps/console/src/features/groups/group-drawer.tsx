import type { GroupDetail } from '@pahatid/contract';
import { ClipboardPaste, FileSpreadsheet, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Count, DateTime } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { KpiStrip, Note } from '../../ui/page/page.tsx';
import { GroupStatus } from './group-status.tsx';
import { ImportList } from './import-list.tsx';
import { MembersTable } from './members-table.tsx';
import { ShownSelection } from './shown-selection.tsx';

const rereadMs = 1_000;
const panelId = 'group-panel';

interface GroupDrawerProps {
  groupId: string;
  onAdd: (how: 'file' | 'paste') => void;
  onEdit: () => void;
  onClose: () => void;
}

export function GroupDrawer(props: GroupDrawerProps) {
  const { groupId, onClose } = props;
  const t = useText();
  const input = { params: { groupId } };
  const { data, error, refetch } = useCall('GET /groups/:groupId', input);
  const isFilling = data?.status === 'importing';
  useCall('GET /groups/:groupId', input, { enabled: isFilling, refetchInterval: isFilling && rereadMs });
  if (!data)
    return (
      <Drawer title={t('groups.one')} onClose={onClose}>
        {error ? <FailedState error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Drawer>
    );
  return <OpenGroup {...props} group={data} />;
}

function OpenGroup({ group, onAdd, onEdit, onClose }: GroupDrawerProps & { group: GroupDetail }) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner', 'member');
  const [view, setView] = useSearchParams(['part', 'at', 'atSort', 'mobileNumber', 'rangeHolder', 'state']);
  const [asking, setAsking] = useState(false);
  const part = view.part === 'history' ? 'history' : 'members';
  const [task] = group.usedBy;
  const leave = () => {
    setView({
      part: undefined,
      at: undefined,
      atSort: undefined,
      mobileNumber: undefined,
      rangeHolder: undefined,
      state: undefined,
    });
    onClose();
  };

  const remove = async () => {
    await call('DELETE /groups/:groupId', { params: { groupId: group.groupId } });
    toast(t('groups.deleted'));
    leave();
    await refresh('/groups');
  };

  return (
    <Drawer
      title={<bdi>{group.groupName}</bdi>}
      state={<GroupStatus status={group.status} pill />}
      meta={
        <>
          <span>{t(`groups.source.${group.source}`)}</span>
          <span>
            {t('groups.updateTime')} <DateTime value={group.updateTime} />
          </span>
          {group.createdBy && <bdi>{group.createdBy}</bdi>}
        </>
      }
      onClose={leave}
      actions={
        mayWrite && (
          <>
            {group.selection === null && (
              <Popover align="end" button={{ label: t('groups.addMembers'), icon: UserPlus, variant: 'primary' }}>
                {(close) => (
                  <>
                    <MenuItem
                      icon={<Icon of={FileSpreadsheet} size="small" />}
                      onClick={() => {
                        close();
                        onAdd('file');
                      }}
                    >
                      {t('groups.addMembers.file')}
                    </MenuItem>
                    <MenuItem
                      icon={<Icon of={ClipboardPaste} size="small" />}
                      onClick={() => {
                        close();
                        onAdd('paste');
                      }}
                    >
                      {t('groups.addMembers.paste')}
                    </MenuItem>
                  </>
                )}
              </Popover>
            )}
            <Button variant={group.selection === null ? 'default' : 'primary'} onClick={onEdit}>
              {t('groups.edit')}
            </Button>
            <Button variant="danger" onClick={() => setAsking(true)}>
              {t('groups.delete')}
            </Button>
          </>
        )
      }
      tabs={
        group.selection === null && (
          <Tabs
            label={t('groups.parts')}
            panelId={panelId}
            items={[
              { key: 'members', label: t('groups.part.members') },
              { key: 'history', label: t('groups.part.history'), count: group.imports.length },
            ]}
            value={part}
            onChange={(next) => setView({ part: next === 'members' ? undefined : next })}
          />
        )
      }
    >
      <div role="tabpanel" id={panelId} className="stack groups-drawer">
        {group.description !== '' && <p className="ink-2">{<bdi>{group.description}</bdi>}</p>}
        {task && <Note tone="info">{t('groups.usedBy', { task: task.taskName, more: group.usedBy.length - 1 })}</Note>}
        {group.selection !== null ? (
          <ShownSelection group={group} mayCount={mayWrite} />
        ) : part === 'members' ? (
          <>
            <KpiStrip
              label={t('groups.figures')}
              items={[
                { key: 'members', label: t('groups.members'), value: <Count value={group.memberCount} /> },
                {
                  key: 'suppressed',
                  label: t('groups.suppressed'),
                  value: <Count value={group.suppressedCount} />,
                  note: t('groups.suppressed.note'),
                },
                {
                  key: 'reachable',
                  label: t('groups.reachable'),
                  value: <Count value={Math.max(0, group.memberCount - group.suppressedCount)} />,
                },
              ]}
            />
            <MembersTable group={group} />
          </>
        ) : (
          <ImportList imports={group.imports} />
        )}
      </div>
      {asking && (
        <ConfirmDialog
          danger
          title={t('groups.delete.title', { name: group.groupName })}
          confirmLabel={t('groups.delete.confirm')}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {t('groups.delete.text', { count: group.memberCount })}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
