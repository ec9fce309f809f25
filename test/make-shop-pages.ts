// Pages of shops in tests: contents, addresses, renewals that were paid online, and an agent whose shops can pay it.
import { randomBytes } from 'node:crypto'
import { emptyContent, type PageContent, type RenewalState } from '#features/sales/shop-pages/rules.ts'
import { PAY_CHANNELS, perChannel } from '#kit/ports/channels.ts'
import type { Office } from './app.ts'

/** As an agent would fill it in. */
export function pageContent({ manager = '王经理', hotline = '400-800-1234' } = {}) {
  const { blocks }: PageContent = emptyContent()
  const texts: Record<string, string> = { manager, hotline }
  return { blocks: blocks.map(block => ({ ...block, text: texts[block.type] ?? '' })), notices: [] }
}

export async function makeShopCode(
  { owner }: Pick<Office, 'owner'>,
  agentId: number,
  merchantId: number,
  createdByName = '姓名',
): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  await owner.query(
    `insert into shop_codes (agent_id, merchant_id, code, created_by, created_by_name, created_at) values ($1, $2, $3, 0, $4, now())`,
    [agentId, merchantId, code, createdByName],
  )
  return code
}

type Made = {
  agentId: number
  merchantId: number
  state: Exclude<RenewalState, 'waiting' | 'expired'>
  shopName?: string
}

/** One that was paid by Alipay to the agent's own account, with its payment; answers its number. */
export async function makeRenewal({ owner }: Pick<Office, 'owner'>, made: Made): Promise<string> {
  const { agentId, merchantId, state, shopName = '测试店铺' } = made
  await allowAccount({ owner }, agentId)
  const { rows } = await owner.query<{ no: string }>(
    'select next_order_no() as no from generate_series(1, 2)',
  )
  const [orderNo, intent] = rows.map(({ no }) => no)
  await owner.query(
    `with i as (insert into payment_intents (id, agent_id, account_id, account_name, payee_agent_id, business_type, asset, order_no, amount_fen,
         subject, token, display_until, status, paid_by, created_at, expires_at, paid_at)
       values ($2, $3, 0, $4, $3, 13, 'renewal', $1, 30000, $4, 'token-of-' || $2, now(), 'paid', 'alipay', now(), now(), now()) returning id)
     insert into payment_attempts (intent_id, agent_id, channel, settings_id, out_trade_no, amount_fen, status, created_at, updated_at, paid_at)
       select i.id, $3, 'alipay', s.id, i.id || 'A', 30000, 'paid', now(), now(), now()
       from i, payment_settings s where s.agent_id = $3 and s.channel = 'alipay' and s.replaced_at is null`,
    [orderNo, intent, agentId, shopName],
  )
  await owner.query(
    `insert into online_renewals (order_no, agent_id, merchant_id, shop_name, version_id, years, shops, amount_fen, state, intent_id,
       pay_method, created_at, paid_at) values ($1, $2, $3, $4, 12, 1, 1, 30000, $5, $6, 'alipay', now(), now())`,
    [orderNo, agentId, merchantId, shopName, state, intent],
  )
  return orderNo ?? ''
}

/** An account of the agent's own with each channel, switched on; what stands already stays. */
async function allowAccount({ owner }: Pick<Office, 'owner'>, agentId: number): Promise<void> {
  await owner.query('update agents set pay_enabled = true where id = $1', [agentId])
  for (const channel of PAY_CHANNELS)
    await owner.query(
      `insert into payment_settings (agent_id, channel, callback_key, enabled, created_at, updated_at)
       select $1::bigint, $2, $3, true, now(), now()
       where not exists (select from payment_settings where agent_id = $1::bigint and channel = $2 and replaced_at is null)`,
      [agentId, channel, `key-of-${agentId}-${channel}-${randomBytes(12).toString('hex')}`],
    )
}

/** The agent is paid on its own account: nothing answers there. */
export async function openAccount(office: Office, agentId: number): Promise<void> {
  await allowAccount(office, agentId)
  const { services } = office.app
  services.providers = { ...services.providers, own: perChannel(() => unreachable) }
}

const unreachable = () => {
  throw new Error('nothing of a test is sent to this account')
}

/** Each of these numbers of years of a version for so many fen a year, switched on. */
export async function offerRenewals(
  { owner }: Pick<Office, 'owner'>,
  agentId: number,
  priceFen: number,
  years: readonly number[] = [1],
  versionId = 12,
): Promise<void> {
  await owner.query(
    `insert into renewal_offers (agent_id, enabled, revision, saved_by_name, saved_at) values ($1, true, 1, '姓名', now())
     on conflict (agent_id) do update set enabled = true`,
    [agentId],
  )
  for (const count of years)
    await owner.query(
      `insert into renewal_prices (agent_id, version_id, years, price_fen) values ($1, $4, $2, $3)
       on conflict (agent_id, version_id, years) do update set price_fen = excluded.price_fen`,
      [agentId, count, priceFen * count, versionId],
    )
}
