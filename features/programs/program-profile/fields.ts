// What the dialogs of a mini program's data ask for.
import { APPLICATION_FIELDS as OF } from '#features/programs/program-applications/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import type { ChangeState } from './rules.ts'

export const NAME = { programName: OF.programName } as const satisfies Fields
export const INTRO = { intro: OF.intro } as const satisfies Fields
export const CHANGE_TONES: Readonly<Record<ChangeState, 'done' | 'attention' | 'problem' | 'neutral'>> = {
  ...{ sending: 'neutral', reviewing: 'neutral', refused: 'problem', passed: 'done' },
}
