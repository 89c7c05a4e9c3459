import { AuditStatus, Carrier, SmsType } from '@pahatid/contract/enums';
import { uuidV7 } from '../ids.ts';
import { type Db, run, sql } from '../sql.ts';
import { unique } from './customers.ts';

export interface TemplateSpec {
  customerId: string;
  appId: string;
  templateName?: string;
  smsType?: SmsType;
  content?: string;
  auditStatus?: AuditStatus;
  auditReason?: string;
  createdBy?: string;
  createdAt?: Date;
}

/** Builds a template with one version, approved by default. */
export const buildTemplate = async (db: Db, spec: TemplateSpec): Promise<string> => {
  const templateId = uuidV7();
  const auditStatus = spec.auditStatus ?? AuditStatus.Approved;
  const sendable = auditStatus === AuditStatus.Approved || auditStatus === AuditStatus.NotRequired;
  const at = spec.createdAt ?? new Date();
  await run(
    db,
    sql`insert into template (template_id, customer_id, app_id, template_name, newest_version, serving_version, created_at, updated_at)
        values (${templateId}, ${spec.customerId}, ${spec.appId}, ${spec.templateName ?? unique('Template')}, 1,
                ${sendable ? 1 : null}, ${at}, ${at})`,
  );
  await run(
    db,
    sql`insert into template_version (template_id, version, customer_id, sms_type, content, audit_status, audit_reason, audited_at, created_by, created_at)
        values (${templateId}, 1, ${spec.customerId}, ${spec.smsType ?? SmsType.Notification},
                ${spec.content ?? 'Hello {1}, your order {2} is ready.'}, ${auditStatus}, ${spec.auditReason ?? null},
                ${auditStatus === AuditStatus.Pending ? null : at}, ${spec.createdBy ?? null}, ${at})`,
  );
  return templateId;
};

export interface SenderSpec {
  customerId: string;
  appId: string;
  senderId?: string;
  areaCode?: string;
  auditStatus?: AuditStatus;
  auditReason?: string;
  useState?: 0 | 1;
  remarkInfo?: string;
  createdBy?: string;
  createdAt?: Date;
}

/** Builds a sender ID with the same state at each carrier, approved by default. */
export const buildSender = async (db: Db, spec: SenderSpec): Promise<string> => {
  const id = uuidV7();
  const auditStatus = spec.auditStatus ?? AuditStatus.Approved;
  const at = spec.createdAt ?? new Date();
  await run(
    db,
    sql`insert into sender (id, customer_id, app_id, area_code, sender_id, use_state, audit_status, audit_reason, audited_at, operated_at, remark_info, created_by, created_at)
        values (${id}, ${spec.customerId}, ${spec.appId}, ${spec.areaCode ?? 'PH'}, ${spec.senderId ?? 'TESTSHOP'},
                ${spec.useState ?? 1}, ${auditStatus}, ${spec.auditReason ?? null},
                ${auditStatus === AuditStatus.Pending ? null : at}, ${at}, ${spec.remarkInfo ?? ''}, ${spec.createdBy ?? null}, ${at})`,
  );
  for (const carrier of Object.values(Carrier))
    await run(
      db,
      sql`insert into sender_carrier (id, customer_id, carrier, audit_status) values (${id}, ${spec.customerId}, ${carrier}, ${auditStatus})`,
    );
  return id;
};
