// What every scene begins with: an office with its operator and some agents, whose owners have one password.
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow, OPERATOR } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { hashPassword } from '#server/secrets.ts'
import { call } from './payments-killed.ts'

export const PASSWORD = 'faults-2026'

type Owner = { agentId: number; loginName: string }

/** `names`: of agents, by their ids. Answers the accounts of the owners in their order, and when all was made. */
export async function createOwners(
  client: pg.Client,
  names: Readonly<Record<number, string>>,
  owners: readonly Owner[],
): Promise<{ ids: number[]; createdAt: string }> {
  const db = drizzle(client)
  const createdAt = new Date().toISOString()
  const named = Object.entries(names).map(([id, companyName]) => ({ id: Number(id), companyName }))
  await db
    .insert(agents)
    .values([{ id: 1, ...OPERATOR }, ...named].map(agent => agentRow({ ...agent, createdAt })))
  const passwordHash = await hashPassword(PASSWORD)
  const made = await db
    .insert(accounts)
    .values(owners.map(owner => accountRow({ ...owner, passwordHash, isOwner: true, createdAt })))
    .returning({ id: accounts.id })
  return { ids: made.map(({ id }) => id), createdAt }
}

/** The session cookie of an owner. */
export async function signIn(url: string, loginName: string): Promise<string> {
  const answer = await call(`${url}/api/session`, '', { loginName, password: PASSWORD })
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}
