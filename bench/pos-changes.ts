// The feed of changes read page by page as a program that has lost its copy reads it, against its bare statement; both as JSON.
// npm run bench -- pos-changes [changes]; a database of its own under DATA_DIR.
import type pg from 'pg'
import { readChanges } from '#features/shops/pos-changes/server.ts'
import { type Actor, identityOf, NO_CALLER } from '#server/ctx.ts'
import { makeCtx } from '#server/serve.ts'
import { inOwnOffice, type OwnOffice, wanted } from './office.ts'

const CHANGES = 1_000_000
const PAGE = 1_000
const TARGET = 0.5
const ROUNDS = 2
/** Vendor staff reads all, the agent a third. */
const READERS = ['10090', '20001'] as const

const FILL = `
  insert into shop_changes (seq, merchant_id, agent_id, topic, data, at)
    select e.last + n, 20000000 + n % 100000, case when n % 3 = 0 then $2::bigint else 1 + n % 2000 end, 'shop.term.changed',
      jsonb_build_object('versionId', 12, 'shopsBought', 1, 'expiresAt', instant_text(now() + n * interval '1 second')), now()
    from generate_series(1, $1::int) n, shop_change_ends e`

/** The number after which to go on, and how many changes came. */
type Page = { last: number; count: number; more: boolean }

export function measureChanges(): Promise<void> {
  return inOwnOffice('pos-changes', async office => {
    const changes = wanted(CHANGES)
    const { owner } = office
    const { rows } = await owner.query<{ id: string }>(
      `select agent_id as id from accounts where login_name = $1`,
      [READERS[1]],
    )
    await owner.query('truncate shop_changes')
    await owner.query('update shop_change_ends set last = 0, cleared = 0')
    await owner.query(FILL, [changes, rows[0]?.id])
    await owner.query('update shop_change_ends set last = $1', [changes])
    await owner.query('vacuum analyze shop_changes')
    for (const reader of READERS) await measure(office, reader)
  })
}

async function measure(office: OwnOffice, loginName: string): Promise<void> {
  const cookie = await office.logIn(loginName)
  const actor = (await office.app.services.actorOf(cookie.slice(cookie.indexOf('=') + 1))) as Actor
  const took = { program: 0, bare: 0 }
  let read = 0
  for (let round = 0; round < ROUNDS; round++) {
    read = await timed(
      ms => (took.program += ms),
      after => throughProgram(office, actor, after),
    )
    const same = await timed(
      ms => (took.bare += ms),
      after => bare(office.owner, actor, after),
    )
    if (read !== same) throw new Error(`${read} changes through the program, ${same} without`)
  }
  const perSecond = (ms: number) => Math.round((read * ROUNDS * 1_000) / ms)
  const ratio = took.bare / took.program
  const line = `${loginName}: ${read} changes, ${perSecond(took.program)}/s through the program, ${perSecond(took.bare)}/s bare`
  process.stdout.write(`${line}, ratio ${ratio.toFixed(2)}${ratio < TARGET ? ' BELOW' : ''}\n`)
}

/** Answers how many were read. */
async function timed(tell: (ms: number) => void, page: (after: number) => Promise<Page>): Promise<number> {
  const began = performance.now()
  let all = 0
  for (let one: Page = { last: 0, count: 0, more: true }; one.more; ) {
    one = await page(one.last)
    all += one.count
  }
  tell(performance.now() - began)
  return all
}

function throughProgram({ app }: OwnOffice, actor: Actor, after: number): Promise<Page> {
  const { services } = app
  const request = {
    ...{ id: 'bench', ip: '127.0.0.1', userAgent: '' },
    ...NO_CALLER,
    ...{ setSession: () => undefined, setView: () => undefined, setDevice: () => undefined },
  }
  return services.database.read(identityOf(actor, services.walls), async lent => {
    const { ctx } = makeCtx(lent, { services, request }, actor)
    const { changes, last, more } = await readChanges(ctx, { after, size: PAGE })
    JSON.stringify(changes)
    return { last, count: changes.length, more }
  })
}

async function bare(owner: pg.Client, { agentId, isVendorStaff }: Actor, after: number): Promise<Page> {
  const whose = isVendorStaff ? '' : `and agent_id = ${agentId}`
  const { rows } = await owner.query<{ seq: string }>(
    `select seq, at, topic, agent_id, merchant_id, data from shop_changes where seq > $1 ${whose} order by seq limit ${PAGE}`,
    [after],
  )
  JSON.stringify(rows)
  return { last: Number(rows.at(-1)?.seq ?? after), count: rows.length, more: rows.length === PAGE }
}
