// An office with one agent, its shops and an account that looks at them.
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow, OPERATOR } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { hashPassword } from '#server/secrets.ts'
import { call } from './payments-killed.ts'

const AGENT = 500
const SHOPS = 200
const PASSWORD = 'faults-2026'
const LOGIN_NAME = 'partner'
export const FIRST_SHOP = 50_000_000

export async function createOneAgent(client: pg.Client): Promise<void> {
  const db = drizzle(client)
  const createdAt = new Date().toISOString()
  await db
    .insert(agents)
    .values([
      agentRow({ id: 1, ...OPERATOR, createdAt }),
      agentRow({ id: AGENT, companyName: '一家代理商', createdAt }),
    ])
  const passwordHash = await hashPassword(PASSWORD)
  const account = accountRow({
    agentId: AGENT,
    loginName: LOGIN_NAME,
    passwordHash,
    isOwner: true,
    createdAt,
  })
  await db.insert(accounts).values(account)
  const rows = Array.from({ length: SHOPS }, (_, n) =>
    merchantRow({
      ...{ id: FIRST_SHOP + n, agentId: AGENT, registeredAt: createdAt },
      account: String(13_600_000_000 + n),
    }),
  )
  await insertRows(client, merchants, rows)
}

/** The session cookie of its account. */
export async function signIn(url: string): Promise<string> {
  const answer = await call(`${url}/api/session`, '', { loginName: LOGIN_NAME, password: PASSWORD })
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}
