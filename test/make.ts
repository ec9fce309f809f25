// Factories: each makes a valid row and the parents it needs. They write as the owner; what is under test goes through the router.
import { getTableColumns } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { z } from 'zod'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts, roles } from '#features/office/access/tables.ts'
import { agentRow } from '#features/office/agents/rows.ts'
import type { AccountFormat } from '#features/office/agents/rules.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { NewMerchantInput } from '#features/sales/selling/contract.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { blankOf } from '#kit/declare/fields.ts'
import { insertRows } from '#server/insert-rows.ts'
import { type Office, PASSWORD } from './app.ts'
import { quickHash } from './quick-hash.ts'

let made = 0
const passwordHash = quickHash(PASSWORD)

export type MadeAgent = { id: number; loginName: string; accountId: number }

/** An agent with its own account; `tokens` in whole tokens and `sms` in pieces are credited through the ledger. */
export async function makeAgent(
  office: Office,
  options: {
    operator?: boolean
    staff?: boolean
    tokens?: number
    sms?: number
    levelId?: number
    format?: AccountFormat
    parentId?: number
  } = {},
): Promise<MadeAgent> {
  const id = 1_000 + ++made
  const { operator = false, staff = operator, format, levelId, parentId } = options
  const row = agentRow({
    id,
    companyName: `代理商${id}`,
    isOperator: operator,
    hasFullMenu: operator,
    isVendorStaff: staff,
    createdAt: new Date().toISOString(),
    ...(levelId === undefined ? {} : { levelId }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(format === undefined ? {} : { accountFormat: format }),
  })
  await drizzle(office.owner).insert(agents).values(row)
  const account = await makeAccount(office, id, { isOwner: true })
  await credit(office, id, 'token', (options.tokens ?? 0) * 100)
  await credit(office, id, 'sms', options.sms ?? 0)
  return { id, ...account }
}

export async function makeAccount(
  office: Office,
  agentId: number,
  options: { isOwner?: boolean; nodeIds?: number[]; dataScope?: 'all' | 'own' } = {},
): Promise<{ loginName: string; accountId: number }> {
  const loginName = String(30_000_000 + ++made)
  const db = drizzle(office.owner)
  const { nodeIds, isOwner = false, dataScope = 'all' } = options
  const createdAt = new Date().toISOString()
  const [role] = nodeIds
    ? await db
        .insert(roles)
        .values({ agentId, name: `角色${made}`, nodeIds, createdAt })
        .returning({ id: roles.id })
    : []
  const row = accountRow({
    agentId,
    loginName,
    passwordHash,
    isOwner,
    dataScope,
    roleId: role?.id ?? null,
    createdAt,
  })
  const [account] = await db.insert(accounts).values(row).returning({ id: accounts.id })
  return { loginName, accountId: (account as { id: number }).id }
}

export async function credit(
  office: Office,
  agentId: number,
  asset: 'token' | 'sms',
  amount: number,
): Promise<void> {
  if (amount <= 0) return
  await office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'credit',
        asset,
        amount,
        from: { kind: 'vendor', book: asset === 'token' ? 'issued' : 'sms-supplier' },
        to: { kind: 'agent', id: agentId },
        document: `CREDIT${++made}`,
        payMethod: 'gift',
        agentId,
        actorId: 1,
        actorName: '测试',
        description: '期初',
      },
    ]),
  ])
}

type MerchantRow = typeof merchants.$inferInsert

/** Shops of an agent, written directly; `of` says what is special about the n-th, each time the same fields. Answers their ids. */
export async function makeMerchants(
  office: Pick<Office, 'owner'>,
  agentId: number,
  count: number,
  of: (n: number) => Partial<MerchantRow>,
): Promise<number[]> {
  const { rows } = await office.owner.query<{ id: number }>(
    `select nextval('merchant_ids')::float8 as id from generate_series(1, $1::int)`,
    [count],
  )
  const registeredAt = new Date().toISOString()
  const expiresAt = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const account = () => `18${String(++made).padStart(9, '0')}`
  const shops = rows.map(({ id }, n) =>
    merchantRow({ id, agentId, account: account(), registeredAt, expiresAt, ...of(n) }),
  )
  await insertRows(office.owner, merchants, shops)
  return rows.map(({ id }) => id)
}

/** One shop; `columns` by their names in the database. */
export async function makeMerchant(
  office: Office,
  agentId: number,
  columns: Record<string, unknown> = {},
): Promise<number> {
  const keys = Object.entries(getTableColumns(merchants)).map(([key, { name }]) => [name, key] as const)
  const given = keys.flatMap(([name, key]) => (name in columns ? [[key, columns[name]]] : []))
  const [id] = await makeMerchants(office, agentId, 1, () => Object.fromEntries(given))
  return id as number
}

/** A valid form for a new shop: one shop of the advanced version for a year. */
export function newMerchantForm(
  changes: Partial<z.input<typeof NewMerchantInput>> = {},
): z.input<typeof NewMerchantInput> {
  return {
    ...blankOf(MERCHANT_FIELDS, 'add'),
    versionId: 12,
    term: 'year',
    periods: 1,
    shops: 1,
    branches: 0,
    industryId: 2,
    shortName: '老张面馆',
    shopName: '深圳老张面馆',
    personName: '张三',
    account: `18${String(++made).padStart(9, '0')}`,
    password: 'abc123',
    districtCode: '440305',
    address: '科技园1号',
    smsCount: 0,
    paymentConfig: {},
    ...changes,
  }
}
