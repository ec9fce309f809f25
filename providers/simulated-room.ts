// What a room of a payment channel holds: how it is connected, and the service simulated on loopback.
import type { PayRoom } from '#kit/ports/providers.ts'
import type { RunningSimulator } from './simulator.ts'

export type PaySimulator = RunningSimulator & {
  /** A payer's phone scans the code and pays. `late`: although the order's time has run out. Throws where it cannot. */
  payCode(code: string, options?: { late?: boolean }): void
  /** Ids of the callbacks whose receiver said that it has kept them. */
  keptCallbacks(): string[]
}

/**
 * The service as the demo and tests have it. `Keys` are both sides', of the vendor's merchant, `OwnKeys` those of an agent that is a merchant
 * of its own: plain data, kept over restarts.
 */
export type PaySimulation<
  Settings = unknown,
  Keys = unknown,
  OwnKeys = unknown,
  Simulator extends PaySimulator = PaySimulator,
> = {
  /** What its codes begin with and no other channel's do: by it the simulated phone knows whose a code is. */
  codes: string
  makeKeys(): Keys
  makeOwnKeys(): OwnKeys
  /**
   * `callbackScale`: what the documented gaps between repeated callbacks are multiplied by. `folder`: where it keeps what must outlive
   * it; absent: nowhere.
   */
  start(
    keys: Keys,
    own: OwnKeys,
    pace: { callbackScale?: number; folder?: string },
    port?: number,
  ): Promise<Simulator>
  /** What the client must be told. */
  settings(keys: Keys, url: string): Settings
  /** The same as the environment has it, by full names. */
  environment(settings: Settings): Record<string, string>
  /** What the agent gives as its own account, by the names of `kit/ports/channels.ts`. */
  ownValues(keys: Keys, own: OwnKeys): Record<string, string>
}

/** `simulated` is null where there is none: the demo then has the channel only with real settings. */
export type SimulatedRoom<Settings = unknown> = PayRoom<Settings> & {
  simulated: PaySimulation<Settings> | null
}
