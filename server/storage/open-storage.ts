// Chooses the home, and lets no key through that is none.
import type { Env } from '#server/env.ts'
import { bucketHome } from './bucket.ts'
import { diskHome } from './disk.ts'
import { isKey, isPrefix, type Storage } from './storage.ts'

const PAGE = 1_000

/** The home that the settings name. Nothing is opened before it is used. */
export function openStorage(env: Pick<Env, 'bucket' | 'dataDir'>): Storage {
  return withSafeKeys(env.bucket ? bucketHome(env.bucket) : diskHome(env.dataDir))
}

function withSafeKeys(home: Storage): Storage {
  const sure = (key: string) => {
    if (!isKey(key)) throw new Error(`${JSON.stringify(key.slice(0, 100))} is no key of the storage`)
    return key
  }
  return {
    async put(key, bytes) {
      try {
        await home.put(sure(key), bytes)
      } catch (error) {
        if (!Buffer.isBuffer(bytes)) bytes.destroy()
        throw error
      }
    },
    get: async (key, part) => home.get(sure(key), part),
    head: async key => home.head(sure(key)),
    delete: async key => home.delete(sure(key)),
    async list(prefix, after = '', most = PAGE) {
      if (!isPrefix(prefix) || (after !== '' && !isKey(after)))
        throw new Error(`${JSON.stringify([prefix, after])} cannot be listed`)
      return home.list(prefix, after, Math.min(most, PAGE))
    },
    clearUnfinished: before => home.clearUnfinished(before),
    close: () => home.close(),
  }
}
