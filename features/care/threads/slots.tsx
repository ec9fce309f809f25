// What features after this one add to a thread.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'
import type { ShownThread } from './threadsApi.tsx'

/** Between what a thread is and what was said in it: what came of it elsewhere, such as a demand, and the key that makes one. */
export const ThreadExtras = slot((_: { thread: ShownThread }): ReactNode => null)
