// Factories: each makes a valid row and the parents it needs. They write as the owner; what is under test goes through the router.
import pg from 'pg'
import type { z } from 'zod'
import type { NewMerchantInput } from '#features/merchants/contract.ts'
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
    format?: string
    parentId?: number
  } = {},
): Promise<MadeAgent> {
  const id = 1_000 + ++made
  await office.owner.query(
    `insert into agents (id, company_name, contact_name, mobile, level_id, parent_id, is_operator, is_vendor_staff, has_full_menu, account_format, created_at)
     values ($1, $2, '联系人', '13800001234', $3, $4, $5, $6, $5, $7, now())`,
    [
      id,
      `代理商${id}`,
      options.levelId ?? 1,
      options.parentId ?? null,
      options.operator ?? false,
      options.staff ?? options.operator ?? false,
      options.format ?? 'standard',
    ],
  )
  const account = await makeAccount(office, id, { isOwner: true })
  await credit(office, id, 'token', (options.tokens ?? 0) * 100)
  await credit(office, id, 'sms', options.sms ?? 0)
  return { id, ...account }
}

export async function makeAccount(
  office: Office,
  agentId: number,
  options: { isOwner?: boolean; nodeIds?: number[] } = {},
): Promise<{ loginName: string; accountId: number }> {
  const loginName = String(30_000_000 + ++made)
  let roleId: string | null = null
  if (options.nodeIds) {
    const { rows } = await office.owner.query(
      `insert into roles (agent_id, name, node_ids, created_at) values ($1, '角色', $2, now()) returning id`,
      [agentId, options.nodeIds],
    )
    roleId = rows[0].id
  }
  const { rows } = await office.owner.query(
    `insert into accounts (agent_id, login_name, name, mobile, password_hash, is_owner, role_id, created_at)
     values ($1, $2, '姓名', '13900005678', $3, $4, $5, now()) returning id`,
    [agentId, loginName, passwordHash, options.isOwner ?? false, roleId],
  )
  return { loginName, accountId: Number(rows[0].id) }
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

/** A shop of an agent, written directly. */
export async function makeMerchant(
  office: Office,
  agentId: number,
  columns: Record<string, unknown> = {},
): Promise<number> {
  const row: Record<string, unknown> = {
    agent_id: agentId,
    store_kind: 'head',
    short_name: '店铺',
    shop_name: '测试店铺',
    person_name: '王小明',
    account: `18${String(++made).padStart(9, '0')}`,
    password_hash: 'none',
    province_code: '44',
    city_code: '4403',
    district_code: '440305',
    industry_id: 2,
    version_id: 12,
    shops_bought: 1,
    status: 'normal',
    registered_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 365 * 86_400_000).toISOString(),
    verification_status: 'unverified',
    source: 'backOffice',
    ...columns,
  }
  const names = Object.keys(row).map(name => pg.escapeIdentifier(name))
  const { rows } = await office.owner.query(
    `insert into merchants (id, ${names.join(', ')}) values (nextval('merchant_ids'), ${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(row),
  )
  return Number(rows[0].id)
}

/** A valid form for a new shop: one shop of the advanced version for a year. */
export function newMerchantForm(
  changes: Partial<z.input<typeof NewMerchantInput>> = {},
): z.input<typeof NewMerchantInput> {
  return {
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
    referrer: '',
    managerId: null,
    remark: '',
    smsCount: 0,
    paymentMethodId: null,
    paymentConfig: {},
    ...changes,
  }
}
