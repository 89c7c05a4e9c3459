import { type BindAnswer, type BindRequest, listenSmpp, STATUS } from '@pahatid/smpp';
import { Carrier } from './carrier.ts';
import { type ControlServer, startControl } from './control.ts';
import type { Delivery } from './deliver-queue.ts';
import { Journal } from './journal.ts';
import { type CarrierChange, type CarrierProfile, changeProfile, DEFAULT_CARRIERS, makeProfile } from './profiles.ts';

export type SimulatorOptions = {
  /** Default 127.0.0.1. */
  host?: string;
  /** SMPP; 0 takes a free one. Default 2776. */
  port?: number;
  /** HTTP control on loopback; 0 takes a free one. Default: port + 1000, or a free one when `port` is 0. */
  controlPort?: number;
  /** Default 1. */
  seed?: number;
  /** Changes to the three default carriers by systemId, and further carriers. */
  carriers?: readonly CarrierChange[];
  /** Changes to all carriers. */
  all?: CarrierChange;
  /** Every submit is appended to this file, a JSON object a line. */
  journal?: string;
  /** Submits kept in memory. Default 1,000,000. */
  journalLimit?: number;
  /** Number of each carrier's first message. Default: from the clock, so that a restart repeats no id. */
  firstId?: number;
};

export type Simulator = {
  readonly port: number;
  readonly controlPort: number;
  readonly journal: Journal;
  /** By systemId; throws if there is no such carrier. */
  carrier(systemId: string): Carrier;
  readonly carriers: ReadonlyMap<string, Carrier>;
  /** Unbinds everybody and closes the ports. */
  stop(): Promise<void>;
};

/** Starts the carriers on one port; the system_id of a bind selects the carrier. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const host = options.host ?? '127.0.0.1';
  const profiles = chooseProfiles(options);
  const journal = new Journal(
    profiles.map((profile) => profile.systemId),
    { maxRecords: options.journalLimit ?? 1_000_000, path: options.journal },
  );
  // Ten digits of the clock: about a hundred days pass before they wrap.
  const firstId = options.firstId ?? Date.now() % 10_000_000_000;
  const carriers = new Map(
    profiles.map((profile, index) => [
      profile.systemId,
      new Carrier(profile, index, options.seed ?? 1, firstId, journal),
    ]),
  );
  const server = await listenSmpp<Delivery>({
    host,
    port: options.port ?? 2776,
    system_id: 'simulator',
    strictTlvs: false,
    onBind: (request) => bind(carriers, request),
  });
  let control: ControlServer;
  try {
    control = await startControl(controlPort(options, server.port), carriers, journal);
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    port: server.port,
    controlPort: control.port,
    journal,
    carriers,
    carrier: (systemId) => findCarrier(carriers, systemId),
    async stop() {
      await control.stop();
      for (const carrier of carriers.values()) carrier.stop();
      await server.stop(0);
      journal.close();
    },
  };
}

function chooseProfiles(options: SimulatorOptions): CarrierProfile[] {
  const profiles = new Map(DEFAULT_CARRIERS.map((profile) => [profile.systemId, profile]));
  for (const change of options.carriers ?? []) {
    const known = change.systemId === undefined ? undefined : profiles.get(change.systemId);
    const profile = known === undefined ? makeProfile(change) : changeProfile(known, change);
    profiles.set(profile.systemId, profile);
  }
  return [...profiles.values()].map((profile) => changeProfile(profile, options.all ?? {}));
}

function controlPort(options: SimulatorOptions, smppPort: number): number {
  if (options.controlPort !== undefined) return options.controlPort;
  return options.port === 0 ? 0 : smppPort + 1_000;
}

function bind(
  carriers: ReadonlyMap<string, Carrier>,
  request: BindRequest,
): BindAnswer<Delivery> | Promise<BindAnswer<Delivery>> {
  const carrier = carriers.get(request.pdu.system_id);
  return carrier?.bind(request) ?? { accept: false, status: STATUS.ESME_RINVSYSID };
}

function findCarrier(carriers: ReadonlyMap<string, Carrier>, systemId: string): Carrier {
  const carrier = carriers.get(systemId);
  if (carrier === undefined) throw new Error(`no such carrier: ${systemId}`);
  return carrier;
}
