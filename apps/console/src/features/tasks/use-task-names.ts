import type { TaskDetail } from '@pahatid/contract';
import { useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { TaskValues } from './task-form.ts';
import type { TaskParts } from './use-task-parts.ts';

type Name = keyof TaskValues;

/** Fields of a task and their values as people read them, for the choice between two versions of a draft. */
export function useTaskNames() {
  const t = useText();
  const formats = useFormats();
  const [names] = useState(() => new Map<string, string>());
  const labels: Partial<Record<Name, string>> = {
    taskName: t('tasks.name'),
    appId: t('tasks.application'),
    smsType: t('tasks.smsType'),
    templateId: t('tasks.template'),
    senderId: t('tasks.senderId'),
    fileId: t('tasks.file'),
    groupIds: t('taskGroups.label'),
    planFlag: t('tasks.scheduled'),
    planTime: t('tasks.planTime'),
    latestStartTime: t('tasks.latestStart'),
    abTest: t('tasks.abTest'),
  };
  const nameOf = (id: string | null) => (id === null ? '' : (names.get(id) ?? id));
  return {
    labels,
    /** Takes names from a stored task: its references need not be among the options of this form. */
    learn(task: TaskDetail) {
      if (task.appId !== null) names.set(task.appId, task.appName ?? task.appId);
      if (task.templateId !== null) names.set(task.templateId, task.templateName ?? task.templateId);
      if (task.mobileFile !== null) names.set(task.mobileFile.fileId, task.mobileFile.fileName);
      for (const { groupId, groupName } of task.groups) names.set(groupId, groupName);
    },
    text(name: Name, values: TaskValues, parts: TaskParts): string {
      for (const { appId, appName } of parts.applications.items) names.set(appId, appName);
      for (const { templateId, templateName } of parts.templates.items) names.set(templateId, templateName);
      for (const { groupId, groupName } of parts.groups.chosen) names.set(groupId, groupName);
      if (parts.file) names.set(parts.file.fileId, parts.file.fileName);
      if (name === 'appId' || name === 'templateId' || name === 'fileId') return nameOf(values[name]);
      if (name === 'groupIds') return formats.list(values.groupIds.map(nameOf));
      if (name === 'smsType') return values.smsType === null ? '' : t(`tasks.smsType.${values.smsType}`);
      if (name === 'planFlag') return t(values.planFlag === 1 ? 'tasks.when.later' : 'tasks.when.now');
      if (name === 'planTime' || name === 'latestStartTime') {
        const time = values[name];
        return time === null ? '' : formats.date(time, 'dateTime');
      }
      if (name === 'abTest')
        return formats.list((values.abTest?.shares ?? []).map((share) => formats.percent(share / 100, 0)));
      return String(values[name] ?? '');
    },
  };
}
