// A state machine is a literal table of its steps: rules ask it, conditional updates take `from` and `to` out of it, and
// test/house/machines.test.ts compares the two.

/** Who takes a step: the program of its own accord, an outside service by what it tells, any account, or who holds a permission. */
export type Mover = 'program' | 'provider' | 'session' | `${string}.${string}`
export type Step<State extends string> = { from: readonly State[]; to: State; by: readonly Mover[] }
export type Machine<State extends string, Action extends string = string> = Readonly<
  Record<Action, Step<State>>
>

/** The state that `action` leads to from `state`, or null when the table has no such step. */
export function nextState<State extends string, Action extends string>(
  machine: Machine<State, Action>,
  state: State,
  action: Action,
): State | null {
  const { from, to } = machine[action]
  return from.includes(state) ? to : null
}
