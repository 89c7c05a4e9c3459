/** Command ids, SMPP 3.4 §5.1.2.1. A response is its request with bit 31 set. */
export const COMMAND_ID = {
  generic_nack: 0x80000000,
  bind_receiver: 0x00000001,
  bind_receiver_resp: 0x80000001,
  bind_transmitter: 0x00000002,
  bind_transmitter_resp: 0x80000002,
  query_sm: 0x00000003,
  query_sm_resp: 0x80000003,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  replace_sm: 0x00000007,
  replace_sm_resp: 0x80000007,
  cancel_sm: 0x00000008,
  cancel_sm_resp: 0x80000008,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  outbind: 0x0000000b,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
  submit_multi: 0x00000021,
  submit_multi_resp: 0x80000021,
  alert_notification: 0x00000102,
  data_sm: 0x00000103,
  data_sm_resp: 0x80000103,
} as const;

export type CommandName = keyof typeof COMMAND_ID;

const NAME_BY_ID: ReadonlyMap<number, CommandName> = new Map(
  (Object.keys(COMMAND_ID) as CommandName[]).map((name) => [COMMAND_ID[name], name]),
);

/** The name of a command id, or undefined for one SMPP 3.4 does not define. */
export function commandName(commandId: number): CommandName | undefined {
  return NAME_BY_ID.get(commandId);
}

/** True for generic_nack and every `…_resp`, known or not: indicated by bit 31 (SMPP 3.4 §5.1.2). */
export function isResponseId(commandId: number): boolean {
  return commandId >= 0x80000000;
}
