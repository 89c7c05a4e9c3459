import { Carrier, type TaskDetail, type TaskEstimate } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bar } from '../../ui/data/pictures.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Note } from '../../ui/page/page.tsx';
import { waitForCheck } from './wait-for-check.ts';

/** Carriers that would not pass a link of the task, with bars by carrier, and what is left out of it. */
export function BlockedLinks({ task, figures }: { task: TaskDetail; figures: TaskEstimate }) {
  const t = useText();
  const formats = useFormats();
  const { busy, setCarriers } = useLeaveOut(task);
  const { leaveOutCarriers: leftOut, leftOutCount, senderId } = task;
  const most = Math.max(1, ...figures.carriers.map((one) => one.recipients));
  const blocked = new Set(figures.blockedLinks.map((one) => one.carrier));
  return (
    <>
      {figures.blockedLinks.map(({ carrier, senderKey, domains, recipients }, place) => (
        <Note key={carrier} tone="warning">
          <p className="strong">{t('taskFigures.blocked.title', { carrier, count: formats.number(recipients) })}</p>
          <p>{t('taskFigures.blocked.text', { carrier, sender: senderId ?? '', domains: formats.list(domains) })}</p>
          {place === 0 && (
            <div className="tasks-blocked">
              {figures.carriers.map((one) => (
                <div key={`${one.areaCode}${one.carrier}`}>
                  <bdi className="clip">{one.carrier ?? t('taskFigures.carrier.none')}</bdi>
                  <Bar
                    parts={[{ kind: blocked.has(one.carrier ?? '') ? 'held' : 'done', share: one.recipients / most }]}
                  />
                  <bdi dir="ltr" className="num">
                    {formats.number(one.recipients)}
                  </bdi>
                </div>
              ))}
            </div>
          )}
          <div className="row wrap">
            <Button size="small" loading={busy} onClick={() => void setCarriers([...leftOut, carrier])}>
              {t('taskFigures.blocked.leaveOut', { carrier })}
            </Button>
            <Link to="/sender" search={{ open: senderKey, part: 'carriers', carrier }}>
              {t('taskFigures.blocked.dossier')}
            </Link>
          </div>
        </Note>
      ))}
      {leftOut.length > 0 && (
        <Note>
          <p>{t('tasks.loss.leftOut', { count: formats.number(leftOutCount) })}</p>
          <div className="row wrap">
            {leftOut.map((carrier) => (
              <Button
                key={carrier}
                size="small"
                loading={busy}
                onClick={() => void setCarriers(leftOut.filter((one) => one !== carrier))}
              >
                {t('taskFigures.blocked.include', { carrier })}
              </Button>
            ))}
          </div>
        </Note>
      )}
    </>
  );
}

const known: readonly string[] = Object.values(Carrier);
const isCarrier = (name: string): name is Carrier => known.includes(name);

/** Changes what the task leaves out, and has it checked again. */
function useLeaveOut(task: TaskDetail) {
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const { taskId } = task;
  const setCarriers = async (carriers: readonly string[]) => {
    const leaveOutCarriers = carriers.filter(isCarrier);
    setBusy(true);
    try {
      await call('PATCH /tasks/:taskId', { params: { taskId }, body: { leaveOutCarriers } });
      await call('POST /tasks/:taskId/submit', { params: { taskId } });
      await waitForCheck(taskId, new AbortController().signal, () => {});
    } catch (error) {
      toastError(error);
    }
    await refresh('/tasks');
    setBusy(false);
  };
  return { busy, setCarriers };
}
