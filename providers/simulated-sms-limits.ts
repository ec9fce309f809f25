// How many messages a number may get with one signature: moving windows, counted for messages that were taken.
import type { TemplateKind } from './simulated-sms-registry.ts'

export type FrequencyRule = { windowMs: number; max: number; name: 'minute' | 'hour' | 'day' }
export type FrequencyRules = Record<TemplateKind, readonly FrequencyRule[]>

/** Numbers beyond these are forgotten, oldest first, so that memory stays flat. */
const TRACKED_MAX = 50_000
const DAY_MS = 86_400_000

export function makeFrequencyLimits(rules: FrequencyRules) {
  const sent = new Map<string, number[]>()
  return {
    /** Counts one more message; or counts nothing and answers the rule that forbids it. */
    take(phone: string, signature: string, kind: TemplateKind, nowMs: number): FrequencyRule | null {
      const key = `${kind}${phone}${signature}`
      const times = (sent.get(key) ?? []).filter(time => time > nowMs - DAY_MS)
      const broken = rules[kind].find(
        ({ windowMs, max }) => times.filter(time => time > nowMs - windowMs).length >= max,
      )
      if (broken) return broken
      times.push(nowMs)
      sent.delete(key)
      sent.set(key, times)
      if (sent.size > TRACKED_MAX) sent.delete(sent.keys().next().value as string)
      return null
    },
    forget: () => sent.clear(),
  }
}
