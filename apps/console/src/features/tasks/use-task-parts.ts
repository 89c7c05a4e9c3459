import type { Application, File, SmsType, Template } from '@pahatid/contract';
import { countVariables } from '@pahatid/domain';
import { useCall } from '../../lib/api/use-call.ts';
import { type PhoneFile, usePhoneFile } from '../../lib/files/use-phone-file.ts';
import { findTemplateObstacle, settleMapping, type TaskValues } from './task-form.ts';
import { type Estimate, useEstimate } from './use-estimate.ts';
import { type TaskGroups, useTaskGroups } from './use-task-groups.ts';

const staleTime = 30_000;
const limit = 200;

/** The read of the applications that may send. */
export const applicationChoice = { input: { query: { limit, useState: '1' } }, options: { staleTime } } as const;

interface Choice<T> {
  items: readonly T[];
  loading: boolean;
}

/** What a task can be sent from. */
interface Source {
  senderId: string;
  /** Of a sender ID. */
  areaCode: string | null;
}

/** A task's possible parts, and the results of its choices. */
export interface TaskParts {
  applications: Choice<Application>;
  /** Of the application, those that fit first; `findTemplateObstacle` says why the others do not. */
  templates: Choice<Template>;
  /** Sender IDs and assigned numbers. */
  senders: Choice<Source>;
  phones: PhoneFile;
  file: File | undefined;
  /** The text that is sent: of the version that serves, which need not be the newest. */
  content: string | null;
  variableCount: number;
  /** Chosen, or the application's first. */
  senderId: string | null;
  mapping: readonly (number | null)[];
  estimate: Estimate;
  /** Recipients of the file alone. */
  fileRecipients: number;
  fileOptedOut: number;
  groups: TaskGroups;
  /** The names that fill the variables for members of groups. */
  groupValues: readonly string[];
}

export function useTaskParts(values: TaskValues, onStored: (fileId: string) => void): TaskParts {
  const { appId, smsType, templateId } = values;
  const enabled = appId !== null;
  const ofApp = { limit, ...(appId !== null && { appId }) } as const;
  const applications = useCall('GET /applications', applicationChoice.input, applicationChoice.options);
  const templates = useCall('GET /templates', { query: ofApp }, { enabled, staleTime });
  const senders = useCall('GET /senders', { query: { ...ofApp, sendable: '1' } }, { enabled, staleTime });
  const numbers = useCall('GET /numbers', { query: { ...ofApp, useState: '1' } }, { enabled, staleTime });
  const template = useCall(
    'GET /templates/:templateId',
    { params: { templateId: templateId ?? '' } },
    { enabled: templateId !== null, staleTime },
  );
  const phones = usePhoneFile(values.fileId, onStored);

  const file = phones.stored;
  const serving = template.data?.versions.find(({ version }) => version === template.data.servingVersion);
  const content = templateId === null ? null : (serving?.content ?? template.data?.content ?? null);
  // The same values fill the variables of all texts of an A/B test.
  const others = (values.abTest?.templateIds ?? []).map(
    (id) => templates.data?.items.find((each) => each.templateId === id)?.content ?? '',
  );
  const variableCount =
    content === null ? values.mapping.length : Math.max(...[content, ...others].map((text) => countVariables(text)));
  const mapping = settleMapping(values.mapping, file, variableCount);
  const senderItems: Source[] = enabled
    ? [
        ...(senders.data?.items ?? []),
        ...(numbers.data?.items ?? []).map(({ number }) => ({ senderId: number, areaCode: null })),
      ]
    : [];
  const groups = useTaskGroups(values.groupIds, values.groupVariables, { variableCount, smsType });
  const ofFile = useEstimate({ templateId, content, file, mapping, smsType });
  return {
    applications: { items: applications.data?.items ?? [], loading: applications.isLoading },
    templates: { items: enabled ? sortByFit(templates.data?.items ?? [], smsType) : [], loading: templates.isLoading },
    senders: { items: senderItems, loading: senders.isLoading || numbers.isLoading },
    phones,
    file,
    content,
    variableCount,
    senderId: values.senderId ?? senderItems[0]?.senderId ?? null,
    mapping,
    estimate: groups.chosen.length === 0 ? ofFile : withGroups(ofFile, groups),
    fileRecipients: ofFile.recipients ?? 0,
    // Rows that the template refuses are not recipients either, and none of them opted out.
    fileOptedOut: ofFile.figures?.optedOutCount ?? (file?.validCount ?? 0) - (ofFile.recipients ?? 0),
    groups,
    groupValues: groups.values,
  };
}

const sortByFit = (items: readonly Template[], smsType: SmsType | null): readonly Template[] =>
  items.toSorted(
    (a, b) => Number(findTemplateObstacle(a, smsType) !== null) - Number(findTemplateObstacle(b, smsType) !== null),
  );

/** Upper bound: duplicates, segments and cost are only known after the check. */
const withGroups = (ofFile: Estimate, groups: TaskGroups): Estimate => ({
  ...ofFile,
  recipients: (ofFile.recipients ?? 0) + groups.memberCount,
  segments: null,
  cost: null,
  figures: undefined,
});
