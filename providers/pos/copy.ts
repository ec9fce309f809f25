// The copy of all shops: listed once, then kept by the feed of changes from a cursor that is written beside it. Webhooks only wake it:
// what it reads next follows from the cursor, so that one which is lost, comes twice or comes late changes nothing.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Door, DoorRefused } from './door.ts'

const PAGE = 1_000
const LOOK_EVERY_MS = 60_000
const AGAIN_AFTER_MS = 2_000

export type Shop = {
  id: number
  revision: number
  agentId: number
  status: string
  shopName: string
  shortName: string
  personName: string
  account: string
  version: { id: number; name: string; functions: string[] }
  expiresAt: string | null
  services: { code: string; name: string; quantity: number; expiresAt: string | null }[]
  smsBalance: number
  signature: { text: string; usable: boolean }
  memberTitle: string
}
export type Agent = {
  id: number
  name: string
  logo: string | null
  blocks: { type: string; text: string; picture: string | null; link: string | null }[]
  notices: { title: string; body: string }[]
}
type Page = { shops: Shop[]; agents: Agent[]; last: number; more: boolean }
type Changes = {
  changes: {
    seq: number
    topic: string
    agentId: number
    shopId: number | null
    data: { versionId?: number }
  }[]
  last: number
  more: boolean
}
type Kept = { cursor: number; shops: Shop[]; agents: Agent[] }

export type Copy = {
  shops(): Shop[]
  shop(id: number): Shop | undefined
  agent(id: number): Agent | undefined
  /** Reads one shop anew: its SMS credit moves without a change. */
  refresh(id: number): Promise<void>
  /** What has changed is read now, or after what is being read. */
  wake(): void
  /** Ends once the copy is as the office was when this was called; throws where the office cannot be read. */
  caughtUp(): Promise<void>
  standing(): { cursor: number | null; listed: number; problem: string }
  stop(): Promise<void>
}

/** `file`: where it is kept over restarts; null: nowhere. */
export function keepCopy(door: Door, file: string | null): Copy {
  let cursor: number | null = null
  let shops = new Map<number, Shop>()
  let agents = new Map<number, Agent>()
  const etags = new Map<number, string>()
  let listed = 0
  let problem = ''
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  if (file !== null && existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept
    cursor = kept.cursor
    shops = byId(kept.shops)
    agents = byId(kept.agents)
  }

  const ask = async <T>(operation: string, input: Record<string, unknown>) =>
    (await door.call(operation, input)).body as T

  /** The number first: what changes while the shops are being listed is then read once more. */
  async function listAnew(): Promise<void> {
    const { last } = await ask<Changes>('posChanges.changes', {})
    const [allShops, allAgents] = [new Map<number, Shop>(), new Map<number, Agent>()]
    for (let after = 0, more = true; more; ) {
      const page = await ask<Page>('pos.shops', { after, size: PAGE })
      after = page.last
      more = page.more
      for (const shop of page.shops) allShops.set(shop.id, shop)
      for (const agent of page.agents) allAgents.set(agent.id, agent)
    }
    shops = allShops
    agents = allAgents
    cursor = last
    listed++
    etags.clear()
  }

  /** One reading for many that lie together; a shop that is not where it would be is ours no more. */
  async function readAnew(ids: Iterable<number>): Promise<void> {
    let wanted = [...new Set(ids)].sort((a, b) => a - b)
    while (wanted[0] !== undefined) {
      const size = Math.min(wanted.length, PAGE)
      const page = await ask<Page>('pos.shops', { after: wanted[0] - 1, size })
      for (const agent of page.agents) agents.set(agent.id, agent)
      const read = byId(page.shops)
      for (const id of wanted) {
        if (page.more && id > page.last) break
        etags.delete(id)
        const shop = read.get(id)
        if (shop) shops.set(id, shop)
        else shops.delete(id)
      }
      wanted = page.more ? wanted.filter(id => id > page.last) : []
    }
  }

  /**
   * An agent is told with its shops: one of them is read. A version stands in each of its own. Print templates stand in none: they are
   * read when a shop's page is opened.
   */
  function* touchedBy(changes: Changes['changes']): Iterable<number> {
    for (const { shopId, agentId, topic, data } of changes) {
      if (topic.startsWith('print.')) continue
      if (shopId !== null) {
        yield shopId
        continue
      }
      const theirs = [...shops.values()].filter(one => one.agentId === agentId)
      const isVersion = topic === 'version.changed'
      const touched = isVersion
        ? theirs.filter(({ version }) => version.id === data.versionId)
        : theirs.slice(0, 1)
      for (const shop of touched) yield shop.id
    }
  }

  async function follow(): Promise<void> {
    if (cursor === null) await listAnew()
    for (let more = true; more && !stopped; ) {
      try {
        const page = await ask<Changes>('posChanges.changes', { after: cursor, size: PAGE })
        await readAnew(touchedBy(page.changes))
        cursor = page.last
        more = page.more
        if (page.changes.length > 0 || listed > 0) keep()
      } catch (error) {
        if (!(error instanceof DoorRefused && error.code === 'CURSOR_GONE')) throw error
        await listAnew()
      }
    }
  }

  /** Whole or not at all. The cursor stands with what it is the cursor of. */
  function keep(): void {
    if (file === null || cursor === null) return
    mkdirSync(dirname(file), { recursive: true })
    const kept: Kept = { cursor, shops: [...shops.values()], agents: [...agents.values()] }
    writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  function start(): Promise<void> {
    clearTimeout(retry)
    running = follow()
      .then(() => {
        problem = ''
      })
      .catch((error: Error) => {
        problem = error.message || error.name
        throw error
      })
      .finally(() => {
        running = null
      })
    return running
  }

  function caughtUp(): Promise<void> {
    if (stopped) return Promise.resolve()
    if (!running) return start()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        return stopped ? undefined : start()
      })
    return next
  }

  function wake(): void {
    caughtUp().catch(() => {
      // `problem` says why on every page.
      if (!stopped) retry = setTimeout(wake, AGAIN_AFTER_MS).unref()
    })
  }
  const looking = setInterval(wake, LOOK_EVERY_MS).unref()

  return {
    shops: () => [...shops.values()].sort((a, b) => b.id - a.id),
    shop: id => shops.get(id),
    agent: id => agents.get(id),
    async refresh(id) {
      const { status, body, etag } = await door.call('pos.shop', { id }, { seen: etags.get(id) ?? null })
      if (status === 304) return
      const { agent, ...shop } = body as Shop & { agent: Agent }
      shops.set(id, shop)
      agents.set(agent.id, agent)
      if (etag) etags.set(id, etag)
    },
    wake,
    caughtUp,
    standing: () => ({ cursor, listed, problem }),
    async stop() {
      stopped = true
      clearInterval(looking)
      clearTimeout(retry)
      await next?.catch(() => undefined)
      await running?.catch(() => undefined)
    },
  }
}

const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map(row => [row.id, row]))
