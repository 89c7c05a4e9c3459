/**
 * Numbers of states for the `sql` template, written into the text of a statement. As parameters they would hide from a
 * generic plan that a condition matches the one of a partial index (`where state = 0`).
 */
import { AuditStatus, ClientStatus, SendStatus, SmsType, TaskStatus, UseState, YesNo } from '@pahatid/contract/enums';
import { BatchState, ParkReason } from '@pahatid/domain';
import { sql } from './sql.ts';

export const auditStatus = sql.literals(AuditStatus);
export const batchState = sql.literals(BatchState);
export const clientStatus = sql.literals(ClientStatus);
export const parkReason = sql.literals(ParkReason);
export const sendStatus = sql.literals(SendStatus);
export const smsType = sql.literals(SmsType);
export const taskStatus = sql.literals(TaskStatus);
export const useState = sql.literals(UseState);
export const yesNo = sql.literals(YesNo);
