/** Links of a task's text that a carrier does not pass, by the dossiers of its sender ID. */
import type { TaskEstimate } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { listAllowedDomains } from '@pahatid/db/queries/sender-domains';
import { isInDomains, listLinkHosts } from '@pahatid/domain';

interface LinkedTask {
  readonly customerId: string;
  readonly appId: string | null;
  readonly senderId: string;
  readonly content: string;
  readonly carriers: readonly {
    readonly areaCode: string;
    readonly carrier: string | null;
    readonly recipients: number;
  }[];
}

/** A carrier that has answered no dossier is not among them: nothing is known of it. */
export async function findBlockedLinks(db: Db, task: LinkedTask): Promise<TaskEstimate['blockedLinks']> {
  const hosts = listLinkHosts(task.content);
  if (hosts.length === 0 || task.appId === null) return [];
  const known = await listAllowedDomains(db, task.customerId, { appId: task.appId, senderId: task.senderId });
  return known.flatMap(({ carrier, senderKey, isAnswered, domains: allowed }) => {
    const domains = hosts.filter((host) => !isInDomains(host, allowed));
    const recipients = task.carriers.find((one) => one.areaCode === 'PH' && one.carrier === carrier)?.recipients ?? 0;
    return !isAnswered || domains.length === 0 || recipients === 0 ? [] : [{ carrier, senderKey, domains, recipients }];
  });
}
