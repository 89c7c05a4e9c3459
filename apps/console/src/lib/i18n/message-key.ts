import type abTests from '../../locales/en-US/abTests.json';
import type account from '../../locales/en-US/account.json';
import type applications from '../../locales/en-US/applications.json';
import type approvals from '../../locales/en-US/approvals.json';
import type audit from '../../locales/en-US/audit.json';
import type billing from '../../locales/en-US/billing.json';
import type callbacks from '../../locales/en-US/callbacks.json';
import type captcha from '../../locales/en-US/captcha.json';
import type consents from '../../locales/en-US/consents.json';
import type conversations from '../../locales/en-US/conversations.json';
import type customers from '../../locales/en-US/customers.json';
import type deals from '../../locales/en-US/deals.json';
import type delays from '../../locales/en-US/delays.json';
import type developer from '../../locales/en-US/developer.json';
import type dossiers from '../../locales/en-US/dossiers.json';
import type enquiries from '../../locales/en-US/enquiries.json';
import type errors from '../../locales/en-US/errors.json';
import type factorReset from '../../locales/en-US/factorReset.json';
import type findings from '../../locales/en-US/findings.json';
import type groups from '../../locales/en-US/groups.json';
import type inbound from '../../locales/en-US/inbound.json';
import type invitations from '../../locales/en-US/invitations.json';
import type landing from '../../locales/en-US/landing.json';
import type members from '../../locales/en-US/members.json';
import type notices from '../../locales/en-US/notices.json';
import type optOuts from '../../locales/en-US/optOuts.json';
import type overview from '../../locales/en-US/overview.json';
import type palette from '../../locales/en-US/palette.json';
import type passwords from '../../locales/en-US/passwords.json';
import type privacy from '../../locales/en-US/privacy.json';
import type reasons from '../../locales/en-US/reasons.json';
import type records from '../../locales/en-US/records.json';
import type review from '../../locales/en-US/review.json';
import type routing from '../../locales/en-US/routing.json';
import type savedViews from '../../locales/en-US/savedViews.json';
import type secondFactor from '../../locales/en-US/secondFactor.json';
import type senders from '../../locales/en-US/senders.json';
import type sendHours from '../../locales/en-US/sendHours.json';
import type session from '../../locales/en-US/session.json';
import type setup from '../../locales/en-US/setup.json';
import type shell from '../../locales/en-US/shell.json';
import type shortLinks from '../../locales/en-US/shortLinks.json';
import type staff from '../../locales/en-US/staff.json';
import type statistics from '../../locales/en-US/statistics.json';
import type taskFigures from '../../locales/en-US/taskFigures.json';
import type taskGroups from '../../locales/en-US/taskGroups.json';
import type tasks from '../../locales/en-US/tasks.json';
import type templates from '../../locales/en-US/templates.json';
import type thresholds from '../../locales/en-US/thresholds.json';
import type ui from '../../locales/en-US/ui.json';

/** Every key of the en-US catalogues; the parity check keeps zh-CN equal. */
export type MessageKey = Extract<
  | keyof typeof applications
  | keyof typeof approvals
  | keyof typeof audit
  | keyof typeof captcha
  | keyof typeof billing
  | keyof typeof callbacks
  | keyof typeof consents
  | keyof typeof conversations
  | keyof typeof customers
  | keyof typeof deals
  | keyof typeof delays
  | keyof typeof developer
  | keyof typeof dossiers
  | keyof typeof enquiries
  | keyof typeof errors
  | keyof typeof factorReset
  | keyof typeof findings
  | keyof typeof invitations
  | keyof typeof groups
  | keyof typeof inbound
  | keyof typeof landing
  | keyof typeof members
  | keyof typeof notices
  | keyof typeof optOuts
  | keyof typeof overview
  | keyof typeof palette
  | keyof typeof passwords
  | keyof typeof privacy
  | keyof typeof reasons
  | keyof typeof records
  | keyof typeof review
  | keyof typeof routing
  | keyof typeof savedViews
  | keyof typeof senders
  | keyof typeof session
  | keyof typeof setup
  | keyof typeof shell
  | keyof typeof shortLinks
  | keyof typeof staff
  | keyof typeof statistics
  | keyof typeof abTests
  | keyof typeof sendHours
  | keyof typeof taskFigures
  | keyof typeof taskGroups
  | keyof typeof tasks
  | keyof typeof templates
  | keyof typeof thresholds
  | keyof typeof account
  | keyof typeof secondFactor
  | keyof typeof ui,
  string
>;
