// A number that the operator has set, for what pages are made of; reference data fills it.
import type { Setting } from '#kit/declare/settings.ts'
import { slot } from '../slot.ts'

/** `asked`: whether it matters here; until it does, and until the answer is there, what holds unless it is set. */
export const useOfficeLimit = slot((setting: Setting, _asked = true): number => setting.initial)
