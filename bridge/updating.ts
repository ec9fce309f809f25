// When the program asks its office for a newer one, what its page says of it, and how it gives its place to the other.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from './files.ts'
import { exchange, hasOld, type OwnProgram, takeInto } from './own-program.ts'
import { fetchUpdate, findUpdate, UPDATE_REFUSALS, type Update } from './updates.ts'

const DAY_MS = 24 * 3_600_000
/** How often it is looked whether a day is over, since a desk sleeps at night. */
const LOOKS_EVERY_MS = 600_000
const FIRST_LOOK_MS = 60_000
const IDLE_EVERY_MS = 500

/** `skipped`: did not start, or a person changed it back; it is not taken again unless a person asks. */
const Kept = z.object({
  askedAt: z.number().default(0),
  skipped: z.string().nullable().default(null),
  previous: z.string().nullable().default(null),
  /** What became of the last try, where that ended this program. */
  said: z.string().default(''),
})

export type UpdateState = {
  said: string
  busy: boolean
  /** The version that can be changed back to. */
  previous: string | null
}
export type Updating = ReturnType<typeof openUpdating>
export type UpdatingDesk = {
  dir: string
  own: OwnProgram
  /** Addresses of the offices that this desk is paired with. */
  offices: () => string[]
  /** Nothing is on its way to a printer. */
  isIdle: () => boolean
  say: (line: string) => void
  now: () => number
  /** Ends this program for what stands in its place, of that version. Comes back where that does not start, with nothing served any more. */
  handOver: (version: string) => Promise<void>
  /** Serves anew, after that. */
  again: () => Promise<void>
}

export function openUpdating({ dir, own, offices, isIdle, say, now, handOver, again }: UpdatingDesk) {
  const path = join(dir, 'updates.json')
  let kept = Kept.parse(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
  const keep = (change: Partial<typeof kept>) => {
    kept = { ...kept, ...change }
    writeWhole(path, JSON.stringify(kept))
  }
  let { said } = kept
  let running: Promise<void> | null = null
  let ended = false
  const tell = (text: string) => {
    said = text
    say(text)
  }
  const previous = () => (kept.previous !== null && hasOld(own.file) ? kept.previous : null)

  /** `asked`: by a person, who is answered whatever comes of it. */
  async function ask(asked: boolean): Promise<void> {
    const origins = offices()
    if (origins.length === 0) {
      if (asked) said = '还没有配对，不知道向哪个后台询问更新'
      return
    }
    said = '正在向后台询问更新'
    keep({ askedAt: now(), said: '' })
    const found = await firstOf(origins)
    if (!found || (!asked && found.manifest.version === kept.skipped)) {
      said = found ? `有新版本 ${found.manifest.version}，上次没有装上` : `${own.version} 已是最新版本`
      return
    }
    const { version } = found.manifest
    tell(`正在下载新版本 ${version}`)
    await takeInto(own, await fetchUpdate(found), version)
    keep({ previous: own.version, skipped: null })
    await give(version)
  }

  /** Of the first office that has a newer one. Where none has, the first refusal is told. */
  async function firstOf(origins: readonly string[]): Promise<Update | null> {
    let refused: unknown = null
    for (const origin of origins)
      try {
        const found = await findUpdate(origin, own)
        if (found) return found
      } catch (error) {
        refused ??= error
      }
    if (refused) throw refused
    return null
  }

  async function back(version: string): Promise<void> {
    exchange(own)
    keep({ previous: own.version, skipped: own.version })
    await give(version)
  }

  /** Not in the middle of a job: nobody would know what is on paper. */
  async function give(version: string): Promise<void> {
    tell(`打完正在打的，就换到 ${version}`)
    while (!ended && !isIdle()) await new Promise(resolve => setTimeout(resolve, IDLE_EVERY_MS))
    if (ended) return
    await handOver(version)
    exchange(own)
    keep({ previous: null, skipped: version, said: UPDATE_REFUSALS.started })
    say(UPDATE_REFUSALS.started)
    await again()
  }

  /** One at a time. */
  function run(deed: () => Promise<void>): void {
    running ??= deed()
      .catch((error: Error) => {
        tell(error.message)
        if (error.cause) say(String(error.cause))
      })
      .finally(() => {
        running = null
      })
  }

  function look(): void {
    if (now() - kept.askedAt >= DAY_MS) run(() => ask(false))
  }
  const first = setTimeout(look, FIRST_LOOK_MS).unref()
  const timer = setInterval(look, LOOKS_EVERY_MS).unref()

  return {
    state: (): UpdateState => ({ said, busy: running !== null, previous: previous() }),
    look,
    ask: () => run(() => ask(true)),
    /** False where there is none. */
    back(): boolean {
      const version = previous()
      if (version !== null) run(() => back(version))
      return version !== null
    },
    stop(): void {
      ended = true
      clearTimeout(first)
      clearInterval(timer)
    },
    /** Resolves when nothing is under way. */
    settled: async () => void (await running),
  }
}
