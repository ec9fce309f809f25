// What the operation log adds to the pages of everything that has a history.

import type { ReactNode } from 'react'
import type { RowAction } from '#web/list/list-props.ts'
import { slot } from '#web/slot.ts'

/** `kind` as the verbs name it by `ctx.object`; `name` is what people call it. */
export type HistoryOf = { kind: string; id: number | string; name: string }
type History = {
  /** None for who may not read the operation log. */
  actionsOf: (of: HistoryOf) => RowAction[]
  /** Belongs into the page. */
  drawer: ReactNode
}

/** What was done with an object, in a drawer over the page that shows it. */
export const useHistory = slot((): History => ({ actionsOf: () => [], drawer: null }))
