// The steps of 开始使用: a feature declares those whose facts it owns in `server-setup.ts`, features/overview/setup shows them as one list.
import { SETUP_STEP, SETUP_STEP_LENGTH } from '#kit/ports/setup.ts'

/** All steps in the order in which they are done. Throws where one is called what cannot be answered, or what another is called. */
export function joinSteps<S extends { key: string; order: number }>(steps: readonly S[]): readonly S[] {
  const keys = new Set<string>()
  for (const { key } of steps) {
    if (!SETUP_STEP.test(key) || key.length > SETUP_STEP_LENGTH)
      throw new Error(
        `setup step ${key}: must be <feature>.<what>, the feature in small letters and hyphens, what in letters alone, ${SETUP_STEP_LENGTH} at most`,
      )
    if (keys.has(key)) throw new Error(`setup step ${key}: is declared twice`)
    keys.add(key)
  }
  return steps.toSorted((a, b) => a.order - b.order)
}
