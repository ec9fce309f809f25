// What the feature after this one adds where a mini program's progress is shown.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

/** The versions of its code, and what can be done with them. `id`: of the application. */
export const VersionSection = slot((_: { id: number }): ReactNode => null)

/** What it shows of itself, set and reviewed part by part. `id`: of the application. */
export const ProfileSection = slot((_: { id: number }): ReactNode => null)
