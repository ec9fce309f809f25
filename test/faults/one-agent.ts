// An office with one agent, its shops and an account that looks at them.
import type pg from 'pg'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { createOwners } from './scene.ts'

const AGENT = 500
const SHOPS = 200
export const LOGIN_NAME = 'partner'
export const FIRST_SHOP = 50_000_000

export async function createOneAgent(client: pg.Client): Promise<void> {
  const { createdAt } = await createOwners(client, { [AGENT]: '一家代理商' }, [
    { agentId: AGENT, loginName: LOGIN_NAME },
  ])
  const rows = Array.from({ length: SHOPS }, (_, n) =>
    merchantRow({
      ...{ id: FIRST_SHOP + n, agentId: AGENT, registeredAt: createdAt },
      account: String(13_600_000_000 + n),
    }),
  )
  await insertRows(client, merchants, rows)
}
