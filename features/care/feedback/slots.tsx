// What features after this one add to what partners told.
import type { RowAction } from '#web/list/list-props.ts'
import { slot } from '#web/slot.ts'

/** What else can be done with a feedback, by permission. */
export const useFeedbackActions = slot((): ((feedback: { id: number }) => RowAction[]) => () => [])
