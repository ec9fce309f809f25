// A state machine is a literal table of steps; this reads it.

export type Step<State, Action extends string> = { from: State; action: Action; to: State }

/** The state that `action` leads to from `state`, or null when the table has no such step. */
export function nextState<State, Action extends string>(
  steps: readonly Step<State, Action>[],
  state: State,
  action: Action,
): State | null {
  return steps.find(step => step.from === state && step.action === action)?.to ?? null
}
