import type { MessageKey } from '../../lib/i18n/message-key.ts';
import type { Text } from '../../lib/i18n/use-text.tsx';

/** Fields that other screens have a word for already. */
const words: Record<string, MessageKey> = {
  description: 'groups.description',
  clientSid: 'records.sender',
  clientStatus: 'records.status',
  phoneAddress: 'records.phone',
  taskId: 'tasks.task',
  templateId: 'tasks.template',
  fileId: 'tasks.file',
  groupIds: 'groups.title',
  customerId: 'audit.customer',
  operator: 'audit.customer',
  supplierId: 'routing.supplier',
  routeId: 'routing.route',
  areaCode: 'routing.areaCode',
  bindType: 'routing.bindType',
  bindCount: 'routing.bindCount',
  windowSize: 'routing.window',
  tls: 'routing.tls',
  idBase: 'routing.idBase',
  alphabet: 'routing.alphabet',
  serviceType: 'routing.serviceType',
  systemType: 'routing.systemType',
  sourceTon: 'routing.sourceTon',
  sourceNpi: 'routing.sourceNpi',
  destinationTon: 'routing.destinationTon',
  destinationNpi: 'routing.destinationNpi',
  validityPeriod: 'routing.validity',
  receiptZoneMinutes: 'routing.receiptZone',
  effectiveTime: 'routing.price.from',
  linkName: 'shortLinks.linkName',
  targetUrl: 'shortLinks.targetUrl',
  fallbackUrl: 'shortLinks.fallbackUrl',
  code: 'shortLinks.one',
  mode: 'shortLinks.mode',
  evidence: 'optOuts.evidence',
  metrics: 'statistics.form.metrics',
  dimensions: 'statistics.form.dimensions',
  unit: 'thresholds.unit',
  period: 'thresholds.period',
  alertAt: 'thresholds.alertAt',
  limitAt: 'thresholds.limitAt',
  metric: 'thresholds.metric',
  windowMinutes: 'thresholds.windowMinutes',
  minVolume: 'thresholds.minVolume',
  act: 'thresholds.act',
  exempt: 'thresholds.exempt',
  emails: 'thresholds.emails',
  mobileNumbers: 'thresholds.mobileNumbers',
  silenceMinutes: 'thresholds.silenceMinutes',
  sameContentPer30s: 'thresholds.field.sameContentPer30s',
  perMinute: 'thresholds.field.perMinute',
  perHour: 'thresholds.field.perHour',
  perDay: 'thresholds.field.perDay',
  thresholdId: 'audit.type.threshold',
  term: 'review.words.search',
  category: 'review.words.category',
  level: 'review.words.level',
  lang: 'review.words.lang',
  nameZh: 'review.holidays.nameZh',
  day: 'review.holidays.day',
  tasks: 'audit.type.tasks',
};

/** What people call a field, looked up by its path and by its own name; undefined where nobody has a word for it. */
export function fieldWord(t: Text, path: string): string | undefined {
  const field = path.slice(path.lastIndexOf('.') + 1);
  const known = t.maybe(`audit.field.${path}`) ?? t.maybe(`audit.field.${field}`) ?? t.maybe(`privacy.count.${field}`);
  const key = words[field];
  return known ?? (key === undefined ? undefined : t(key));
}
