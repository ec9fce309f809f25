import { useQuery } from '@tanstack/react-query'
import { type Setting, within } from '#kit/declare/settings.ts'
import { referenceApi } from './referenceApi.tsx'

const FRESH_MS = 60_000

/** What the operator has set; what holds unless it is set, until the answer is there, and where nobody asks. */
export function useLimit(setting: Setting, asked = true): number {
  const kept = useQuery({ ...referenceApi.limits.query(), staleTime: FRESH_MS, enabled: asked })
  return within(setting, kept.data?.values[setting.key])
}
