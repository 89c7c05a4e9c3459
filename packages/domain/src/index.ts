export * from './accounts/check-address.ts';
export * from './accounts/check-guessable.ts';
export * from './accounts/check-password.ts';
export * from './accounts/describe-user-agent.ts';
export * from './audit/hide-from-audit.ts';
export * from './batches/batch-states.ts';
export * from './callbacks/callback-schedule.ts';
export * from './callbacks/notified-statuses.ts';
export * from './compatibility/twilio-ids.ts';
export * from './compatibility/twilio-status.ts';
export * from './exports/csv-cell.ts';
export * from './files/map-variables.ts';
export * from './files/reject-reasons.ts';
export * from './files/render-row.ts';
export * from './inbound/join-parts.ts';
export * from './language/language.ts';
export * from './limits/frequency.ts';
export * from './limits/limit-scope.ts';
export * from './limits/volume.ts';
export * from './messages/deal-results.ts';
export * from './messages/message-life.ts';
export * from './messages/message-states.ts';
export * from './messages/receipt-status.ts';
export * from './messages/submit-status.ts';
export * from './messages/valid-for.ts';
export * from './money/forecast-balance.ts';
export * from './money/money.ts';
export * from './msisdn/get-country.ts';
export * from './msisdn/msisdn-result.ts';
export { parseMsisdn } from './msisdn/parse-msisdn.ts';
export * from './msisdn/prefix-table.ts';
export * from './msisdn/show-msisdn.ts';
export * from './notices/notice-kinds.ts';
export * from './opt-outs/opt-out-words.ts';
export * from './privacy/mention-number.ts';
export * from './privacy/retention.ts';
export * from './quiet-hours/quiet-hours.ts';
export * from './review/audit-states.ts';
export * from './review/holidays.ts';
export * from './review/review-hours.ts';
export * from './review/review-policy.ts';
export * from './review/review-reasons.ts';
export * from './routing/choose-route.ts';
export * from './routing/find-uncovered.ts';
export * from './routing/open-country.ts';
export * from './routing/split-batch.ts';
export * from './routing/supplier-breaker.ts';
export * from './segments/count-segments.ts';
export * from './segments/gsm7.ts';
export * from './segments/unicode-characters.ts';
export * from './senders/assigned-number.ts';
export * from './senders/check-sender-id.ts';
export * from './short-links/check-target-url.ts';
export * from './short-links/judge-click.ts';
export * from './short-links/link-review.ts';
export * from './short-links/short-codes.ts';
export * from './tasks/choose-send-hour.ts';
export * from './tasks/forecast-speed.ts';
export * from './tasks/task-states.ts';
export * from './templates/check-template.ts';
export * from './templates/compile-template.ts';
export * from './templates/findings.ts';
export * from './templates/lexicon.ts';
export * from './templates/lexicon-seed.ts';
export { checkValue, type ValueVerdict } from './templates/links.ts';
export { matchTemplate } from './templates/match-template.ts';
export * from './templates/unsubscribe.ts';
export {
  countVariables,
  listVariables,
  normalizeContent,
  renderTemplate,
  renumberVariables,
  type TemplateVariable,
} from './templates/variables.ts';
export * from './test-mode/test-customer.ts';
export * from './thresholds/judge-pumping.ts';
export * from './thresholds/judge-quality.ts';
export * from './thresholds/judge-volume.ts';
