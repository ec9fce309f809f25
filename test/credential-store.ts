// A store of credentials in memory, shared by the programs of a test: as the database's, without encryption.
import type { CredentialStore } from '#kit/ports/mini-programs.ts'

export type MemoryStore = CredentialStore & {
  kept: Map<string, { text: string; version: number }>
  /** Another program writes this before the next write of `key`. */
  overtakenBy: Map<string, string>
}

export function memoryStore(): MemoryStore {
  const kept: MemoryStore['kept'] = new Map()
  const claims = new Map<string, { holder: string; until: number }>()
  const overtakenBy: MemoryStore['overtakenBy'] = new Map()
  const write = (key: string, text: string, version: number) => {
    if ((kept.get(key)?.version ?? 0) !== version) return false
    kept.set(key, { text, version: version + 1 })
    return true
  }
  return {
    kept,
    overtakenBy,
    async read(key) {
      return kept.get(key) ?? null
    },
    async write(key, text, version) {
      const first = overtakenBy.get(key)
      if (first !== undefined) {
        overtakenBy.delete(key)
        write(key, first, version)
      }
      return write(key, text, version)
    },
    async remove(key) {
      kept.delete(key)
    },
    async claim(key, holder, forMs) {
      const claim = claims.get(key)
      if (claim && claim.until > performance.now()) return false
      claims.set(key, { holder, until: performance.now() + forMs })
      return true
    },
    async release(key, holder) {
      if (claims.get(key)?.holder === holder) claims.delete(key)
    },
  }
}
