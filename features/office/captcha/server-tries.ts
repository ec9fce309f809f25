// How often a network has tried something that needs no account, such as addresses that are nobody's.
import type { Ctx, Services } from '#server/ctx.ts'
import { networkHash } from './server-pass.ts'

/** `count` is raised by whoever asks, with each try. */
type Tries = { count: number; since: number }
const NETWORKS_KEPT = 10_000
const tried = new WeakMap<Services, Map<string, Map<string, Tries>>>()

/**
 * What the asking network has tried of `what` within the last `minutes`. Of each instance by itself: what is guessed at cannot be found by
 * trying anyway.
 */
export function triesOf(ctx: Ctx, what: string, minutes: number): Tries {
  const all = tried.get(ctx.services) ?? new Map<string, Map<string, Tries>>()
  tried.set(ctx.services, all)
  const known = all.get(what) ?? new Map<string, Tries>()
  all.set(what, known)
  const network = networkHash(ctx).toString('base64')
  const now = ctx.now.getTime()
  const last = known.get(network)
  if (last && now - last.since < minutes * 60_000) return last
  const [oldest] = known.keys()
  if (known.size >= NETWORKS_KEPT && oldest !== undefined) known.delete(oldest)
  const fresh = { count: 0, since: now }
  known.delete(network)
  known.set(network, fresh)
  return fresh
}
