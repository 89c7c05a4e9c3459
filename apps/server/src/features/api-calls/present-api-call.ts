import type { ApiCall } from '@pahatid/contract';
import { uuidMs } from '@pahatid/db';
import type { ApiCallRow } from '@pahatid/db/queries/api-calls';
import { type CsvColumn, column } from '../../http/csv.ts';

export const presentApiCall = ({ callId, mode, ...row }: ApiCallRow): ApiCall => ({
  callId,
  time: new Date(uuidMs(callId)).toISOString(),
  requestId: row.requestId,
  method: row.method,
  path: row.path,
  status: row.status,
  errorCode: row.errorCode,
  durationMs: row.durationMs,
  appId: row.appId,
  appName: row.appName,
  keyId: row.keyId,
  keyName: row.keyName,
  prefix: row.prefix,
  mode: mode ?? 'live',
  ip: row.ip,
});

export const apiCallColumns: readonly CsvColumn<ApiCall>[] = [
  column('时间', 'Time', (row) => row.time),
  column('请求 ID', 'Request ID', (row) => row.requestId),
  column('方法', 'Method', (row) => row.method),
  column('路径', 'Path', (row) => row.path),
  column('HTTP 状态', 'HTTP status', (row) => row.status),
  column('错误码', 'Error code', (row) => row.errorCode),
  column('耗时（毫秒）', 'Duration (ms)', (row) => row.durationMs),
  column('App ID', 'App ID', (row) => row.appId),
  column('应用名称', 'Application name', (row) => row.appName),
  column('密钥', 'Key', (row) => row.keyName),
  column('密钥开头', 'Key begins with', (row) => row.prefix),
  column('模式', 'Mode', (row) => row.mode),
  column('IP 地址', 'IP address', (row) => row.ip),
];
