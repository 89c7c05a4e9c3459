/**
 * The only catalogue of errors: code, HTTP status, names of parameters. The API sends codes; the console translates
 * them. Internal detail goes only to the log.
 */
interface ErrorEntry {
  readonly status: number;
  readonly params?: readonly string[];
}

const entry = <const E extends ErrorEntry>(value: E): E => value;

export const errorCatalogue = {
  // Any route
  BAD_REQUEST: entry({ status: 400 }),
  VALIDATION_FAILED: entry({ status: 400 }),
  CURSOR_INVALID: entry({ status: 400 }),
  NOT_SIGNED_IN: entry({ status: 401 }),
  FORBIDDEN: entry({ status: 403 }),
  FOREIGN_ORIGIN: entry({ status: 403 }),
  DEMO_LOCAL_ONLY: entry({ status: 403 }),
  NOT_FOUND: entry({ status: 404 }),
  METHOD_NOT_ALLOWED: entry({ status: 405 }),
  CONFLICT: entry({ status: 409 }),
  VERSION_CONFLICT: entry({ status: 409, params: ['version', 'editedTime', 'editedBy'] }),
  BODY_TOO_LARGE: entry({ status: 413, params: ['limitBytes'] }),
  MEDIA_TYPE_UNSUPPORTED: entry({ status: 415 }),
  RATE_LIMITED: entry({ status: 429, params: ['retryAfterS'] }),
  INTERNAL: entry({ status: 500 }),
  UNAVAILABLE: entry({ status: 503, params: ['retryAfterS'] }),
  STORAGE_FULL: entry({ status: 507 }),
  IDEMPOTENCY_KEY_REUSED: entry({ status: 422 }),

  // Sign-in
  PASSWORD_INCORRECT: entry({ status: 401, params: ['count'] }),
  CUSTOMER_SUSPENDED: entry({ status: 403 }),
  CAPTCHA_REQUIRED: entry({ status: 403, params: ['count'] }),
  CAPTCHA_FAILED: entry({ status: 403 }),
  SIGN_IN_LOCKED: entry({ status: 429, params: ['retryAfterS'] }),
  SECOND_FACTOR_REQUIRED: entry({ status: 401, params: ['challenge', 'methods'] }),
  REAUTHENTICATE: entry({ status: 403 }),
  STEP_UP_REQUIRED: entry({ status: 403 }),

  // Codes and passwords
  CODE_INVALID: entry({ status: 400 }),
  RESET_ENDED: entry({ status: 410 }),

  PHONE_TAKEN: entry({ status: 409 }),

  // Second factors
  SECOND_FACTOR_WRONG: entry({ status: 401, params: ['left'] }),
  SIGN_IN_STEP_ENDED: entry({ status: 410 }),
  SECOND_FACTOR_ENROLMENT: entry({ status: 403 }),
  SECOND_FACTOR_NEEDED: entry({ status: 409 }),
  TWO_FACTOR_ON: entry({ status: 409 }),
  TWO_FACTOR_OFF: entry({ status: 409 }),
  TOTP_CODE_WRONG: entry({ status: 400 }),
  OWN_FACTORS: entry({ status: 409 }),
  PASSKEY_REFUSED: entry({ status: 400 }),
  PASSKEY_KNOWN: entry({ status: 409 }),
  PASSKEY_LIMIT: entry({ status: 409, params: ['limit'] }),

  // The first admin
  SETUP_LINK_INVALID: entry({ status: 403 }),
  SETUP_LINK_EXPIRED: entry({ status: 410 }),
  SETUP_DONE: entry({ status: 409 }),
  ACCOUNT_TAKEN: entry({ status: 409 }),
  EMAIL_TAKEN: entry({ status: 409 }),

  // Members
  MEMBER_EXISTS: entry({ status: 409 }),
  INVITATION_EXISTS: entry({ status: 409 }),
  INVITATION_INVALID: entry({ status: 403 }),
  INVITATION_EXPIRED: entry({ status: 410 }),
  LAST_OWNER: entry({ status: 409 }),

  // Applications
  APP_NAME_TAKEN: entry({ status: 409 }),
  APP_DISABLED: entry({ status: 409, params: ['appId'] }),
  APP_NOT_FOUND: entry({ status: 400, params: ['appId'] }),
  ALLOWED_IP_INVALID: entry({ status: 400, params: ['value'] }),
  COUNTRY_WITHOUT_PRICE: entry({ status: 409, params: ['areaCode'] }),
  CALLBACK_URL_INVALID: entry({ status: 400 }),
  CALLBACK_NOT_ENABLED: entry({ status: 409 }),
  SECRET_CURRENT: entry({ status: 409 }),
  KEY_LIMIT: entry({ status: 409, params: ['limit'] }),

  // An application's own calls
  APP_CREDENTIALS_INVALID: entry({ status: 401 }),
  ADDRESS_NOT_ALLOWED: entry({ status: 403, params: ['address'] }),
  APP_NO_HTTP_ACCESS: entry({ status: 403 }),
  SCOPE_MISSING: entry({ status: 403, params: ['scope'] }),
  /** Of a test key. */
  NOT_IN_TEST_MODE: entry({ status: 403 }),
  MESSAGES_REFUSED: entry({ status: 400 }),
  CONTENT_INVALID: entry({ status: 400 }),
  COUNTRY_NOT_OPEN: entry({ status: 409, params: ['areaCode'] }),
  RECIPIENT_OPTED_OUT: entry({ status: 409 }),
  CONSENT_MISSING: entry({ status: 409 }),
  CONSENT_TIME_UNREADABLE: entry({ status: 400 }),
  FREQUENCY_LIMITED: entry({ status: 429, params: ['retryAfterS'] }),
  VOLUME_LIMITED: entry({ status: 429, params: ['retryAfterS'] }),
  CLIENT_REF_TAKEN: entry({ status: 409 }),
  MESSAGE_HANDED_OVER: entry({ status: 409 }),
  VERIFICATION_ENDED: entry({ status: 409 }),

  REPLY_WINDOW_CLOSED: entry({ status: 409 }),
  APP_PAUSED: entry({ status: 409, params: ['appId'] }),

  // Delivery thresholds
  THRESHOLD_LIMIT: entry({ status: 409 }),
  THRESHOLD_SET_BY_STAFF: entry({ status: 403 }),
  THRESHOLD_HOLDS_NOTHING: entry({ status: 409 }),

  // Templates
  TEMPLATE_NAME_TAKEN: entry({ status: 409 }),
  TEMPLATE_CONTENT_INVALID: entry({ status: 400 }),
  TEMPLATE_NOT_FOUND: entry({ status: 400, params: ['templateId'] }),
  TEMPLATE_NOT_SENDABLE: entry({ status: 409 }),
  TEMPLATE_IN_USE: entry({ status: 409, params: ['taskName'] }),
  TEMPLATE_TYPE_MISMATCH: entry({ status: 409 }),

  // Sender IDs
  SENDER_ID_INVALID: entry({ status: 400, params: ['reason'] }),
  SENDER_ID_TAKEN: entry({ status: 409 }),
  SENDER_NOT_SENDABLE: entry({ status: 409, params: ['senderId'] }),
  SENDER_REQUIRED: entry({ status: 400 }),
  DOSSIER_EMPTY: entry({ status: 409 }),
  NUMBER_INVALID: entry({ status: 400 }),
  NUMBER_TAKEN: entry({ status: 409 }),
  NUMBER_IN_USE: entry({ status: 409, params: ['taskName'] }),

  // Reviews
  ALREADY_REVIEWED: entry({ status: 409 }),
  REVIEW_CLAIMED: entry({ status: 409, params: ['name'] }),
  REVIEW_NOT_CLAIMED: entry({ status: 409 }),
  REASON_REQUIRED: entry({ status: 400 }),
  REASON_UNFIT: entry({ status: 400 }),
  SPAN_INVALID: entry({ status: 400 }),

  // Customers
  // Requests that a second member of staff approves
  APPROVAL_OWN: entry({ status: 403 }),
  APPROVAL_ENDED: entry({ status: 409 }),

  CUSTOMER_NAME_TAKEN: entry({ status: 409 }),
  VIEW_ONLY: entry({ status: 403 }),
  DEMO_READ_ONLY: entry({ status: 403 }),

  // Suppliers, routes, prices
  SUPPLIER_ACCOUNT_TAKEN: entry({ status: 409 }),
  SUPPLIER_NOT_FOUND: entry({ status: 400, params: ['supplierId'] }),
  ROUTE_NAME_TAKEN: entry({ status: 409 }),
  PRICE_TAKEN: entry({ status: 409 }),
  PREFIX_TAKEN: entry({ status: 409 }),
  CUSTOMER_NOT_FOUND: entry({ status: 400, params: ['customerId'] }),

  // Files
  FILE_EXTENSION: entry({ status: 400 }),
  FILE_CONTENT_MISMATCH: entry({ status: 400 }),
  FILE_ENCRYPTED: entry({ status: 400 }),
  FILE_ZIP_BOMB: entry({ status: 400 }),
  FILE_TRUNCATED: entry({ status: 400 }),
  FILE_EXPIRED: entry({ status: 409, params: ['days'] }),
  FILE_EMPTY: entry({ status: 400 }),
  FILE_NO_PHONE_COLUMN: entry({ status: 400 }),
  FILE_NO_SUCH_SHEET: entry({ status: 400, params: ['sheetName'] }),
  FILE_TOO_LARGE: entry({ status: 413, params: ['limitMb'] }),
  FILE_TOO_MANY_ROWS: entry({ status: 400, params: ['limit'] }),
  FILE_TOO_MANY_COLUMNS: entry({ status: 400, params: ['limit'] }),
  FILE_CELL_TOO_LONG: entry({ status: 400, params: ['row'] }),
  FILE_LINE_TOO_LONG: entry({ status: 400, params: ['row'] }),
  FILE_QUOTE_UNCLOSED: entry({ status: 400, params: ['row'] }),
  FILE_FORMULAS: entry({ status: 400 }),
  FILE_UNREADABLE: entry({ status: 400 }),
  FILE_TIMEOUT: entry({ status: 400 }),
  FILE_MEMORY: entry({ status: 400 }),
  FILE_UPLOAD_BROKEN: entry({ status: 400 }),
  FILE_PROCESSING: entry({ status: 409 }),
  FILE_NOT_USABLE: entry({ status: 409 }),
  FILE_NOT_FOUND: entry({ status: 400, params: ['fileId'] }),
  FILE_IN_USE: entry({ status: 409, params: ['taskName'] }),
  FILE_LIMIT_REACHED: entry({ status: 429, params: ['limit'] }),
  FILE_STORAGE_FULL: entry({ status: 429, params: ['limitGb'] }),

  // Message groups
  GROUP_NAME_TAKEN: entry({ status: 409 }),
  GROUP_LIMIT: entry({ status: 409, params: ['limit'] }),
  GROUP_FULL: entry({ status: 409, params: ['limit'] }),
  GROUP_IN_USE: entry({ status: 409, params: ['taskName'] }),
  GROUP_BUSY: entry({ status: 409, params: ['groupName'] }),
  GROUP_NOT_FOUND: entry({ status: 400, params: ['groupId'] }),
  GROUP_EMPTY: entry({ status: 409 }),
  GROUP_IS_DYNAMIC: entry({ status: 409, params: ['groupName'] }),
  GROUP_NOT_DYNAMIC: entry({ status: 409, params: ['groupName'] }),
  GROUP_SELECTED_FROM: entry({ status: 409, params: ['groupName'] }),

  // Tasks
  TASK_NOT_FOUND: entry({ status: 400, params: ['taskId'] }),
  TASK_TRANSITION: entry({ status: 409, params: ['from', 'action'] }),
  TASK_INCOMPLETE: entry({ status: 400 }),
  PLAN_TIME_REQUIRED: entry({ status: 400 }),
  PLAN_TIME_PAST: entry({ status: 400 }),
  MAPPING_INVALID: entry({ status: 400, params: ['variable'] }),
  NO_RECIPIENTS: entry({ status: 409 }),
  BALANCE_TOO_LOW: entry({ status: 409, params: ['needed', 'available'] }),
  TASK_HELD_BY_STAFF: entry({ status: 409 }),
  NOTHING_TO_RETRY: entry({ status: 409 }),
  NO_ROUTE: entry({ status: 409, params: ['carrier'] }),
  MOBILE_NUMBER_INVALID: entry({ status: 400, params: ['reason'] }),
  TASK_TOO_LATE: entry({ status: 409 }),
  AB_NEEDS_LINK: entry({ status: 409 }),
  AB_TOO_FEW: entry({ status: 409 }),
  VALUES_MISSING: entry({ status: 400, params: ['variable'] }),

  // Statistics
  RANGE_TOO_LONG: entry({ status: 400, params: ['unit', 'limit'] }),
  STATISTICS_TOO_WIDE: entry({ status: 400, params: ['limit'] }),
  CHART_LIMIT: entry({ status: 409, params: ['limit'] }),

  // Lists: saved filters, and exported files
  SAVED_FILTER_LIMIT: entry({ status: 409, params: ['limit'] }),
  SAVED_FILTER_NAME_TAKEN: entry({ status: 409 }),
  EXPORT_LIMIT: entry({ status: 409, params: ['limit'] }),
  // Of any short list that a team keeps
  NAME_TAKEN: entry({ status: 409 }),
  LIST_FULL: entry({ status: 409, params: ['limit'] }),

  // Short links
  LINK_LIMIT: entry({ status: 409, params: ['limit'] }),
  LINK_IN_USE: entry({ status: 409, params: ['taskName'] }),
  LINK_ENDED: entry({ status: 410 }),
  LINK_NOT_USABLE: entry({ status: 409 }),
  LINK_NOT_APPROVED: entry({ status: 409, params: ['linkName'] }),
  LINK_DOMAIN_BLOCKED: entry({ status: 409, params: ['domain'] }),
  LINK_DOMAIN_INVALID: entry({ status: 400 }),
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** One field's error inside a problem; `field` is a path such as `content` or `mapping.phoneColumn`. */
export interface FieldError {
  field: string;
  code: string;
  params?: Record<string, string | number>;
}

/** Body of every error response, `application/problem+json` (RFC 9457). */
export interface Problem {
  /** Address of a page about the code. */
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  params?: Record<string, string | number>;
  errors?: FieldError[];
  requestId: string;
}
