// What tests of purchases and their undo share: chains, the state of shops, and verbs called as a signed-in account.
import { randomUUID } from 'node:crypto'
import { type Ctx, identityOf, NO_CALLER } from '#server/ctx.ts'
import { makeCtx } from '#server/serve.ts'
import type { Office } from './app.ts'
import { makeMerchant } from './make.ts'

/** A head of the chain version with `branches` branches, each written directly; `columns` for the head. */
export async function makeChain(
  office: Office,
  agentId: number,
  branches: number,
  columns: Record<string, unknown> = {},
): Promise<{ head: number; branches: number[] }> {
  const head = await makeMerchant(office, agentId, {
    version_id: 3,
    shops_bought: branches + 1,
    shop_name: '连锁总店',
    ...columns,
  })
  const made: number[] = []
  for (let i = 1; i <= branches; i++)
    made.push(
      await makeMerchant(office, agentId, {
        version_id: 3,
        store_kind: 'branch',
        head_id: head,
        shop_name: `分店${i}`,
      }),
    )
  return { head, branches: made }
}

export type ShopState = { version: number; expires: string | null; shops: number; status: string }

export async function shopState(office: Office, id: number): Promise<ShopState> {
  const { rows } = await office.owner.query<{
    version_id: number
    expires_at: Date | null
    shops_bought: number
    status: string
  }>('select version_id, expires_at, shops_bought, status from merchants where id = $1', [id])
  const row = rows[0]
  if (!row) throw new Error(`no shop ${id}`)
  return {
    version: row.version_id,
    expires: row.expires_at?.toISOString() ?? null,
    shops: row.shops_bought,
    status: row.status,
  }
}

/** Tokens of an agent in 1/100. */
export async function tokensOf(office: Office, agentId: number): Promise<number> {
  const { rows } = await office.owner.query<{ balance: string }>(
    `select balance from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = 'token'`,
    [agentId],
  )
  return Number(rows[0]?.balance ?? 0)
}

/** Runs verbs in one transaction as the account of this session. */
export async function actingAs<T>(
  office: Office,
  cookie: string,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const { services } = office.app
  const sessionToken = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1))
  const actor = await services.actorOf(sessionToken)
  if (!actor) throw new Error('the session is over')
  const request = {
    id: randomUUID(),
    ip: '127.0.0.1',
    userAgent: 'test',
    ...NO_CALLER,
    sessionToken,
    idempotencyKey: randomUUID(),
    setSession: () => undefined,
    setView: () => undefined,
    setDevice: () => undefined,
  }
  return services.database.write(identityOf(actor, services.walls), lent =>
    work(makeCtx(lent, { services, request }, actor).ctx),
  )
}

type Rows = { id: unknown }[]
type Sql = (text: string, values: unknown[]) => Promise<{ rows: Rows } | Rows>

type Written = {
  book: 'version' | 'service' | 'sms' | 'hardware' | 'recharge'
  item: number
  part: string
  kind?: 'list' | 'minimum'
  cents: number | null
  startsAt?: string
}

/** A price as somebody wrote it down, from now on or from another moment. */
export async function writePrice(sql: Sql, written: Written): Promise<void> {
  const { book, item, part, kind = 'list', cents, startsAt } = written
  // Another one may have begun in this very millisecond.
  for (;;) {
    const done = await sql(
      `insert into prices (book, item, part, kind, cents, starts_at, created_by, created_by_name, created_at)
       values ($1, $2, $3, $4, $5, coalesce($6::timestamptz, date_trunc('milliseconds', clock_timestamp())), 0, '测试', now())
       on conflict do nothing returning id`,
      [book, item, part, kind, cents, startsAt ?? null],
    )
    if ((Array.isArray(done) ? done : done.rows).length > 0) return
  }
}
