// What browser tests of money from outside share: balances, the codes on a screen as a phone reads them, and that phone.
import assert from 'node:assert/strict'
import jsqr from 'jsqr'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import type { CreditedAsset } from '#features/money/ledger/rules.ts'
import { CHANNEL_NAMES, type PayChannelName, perChannel } from '#kit/ports/channels.ts'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { type BrowserOffice, PHONE, see } from './browser.ts'

export type Intent = { id: string; token: string; status: string; amount_fen: string; order_no: string }

/** The QR on a page: of the payment, or of one channel at the cashier. */
export const code = (scope: Page | Locator) => scope.getByRole('img', { name: /扫码支付|付款码$/ })

/** What a phone's camera would read from the screen. */
export async function read(qr: Locator): Promise<string> {
  await see(qr)
  const { data, info } = await sharp(await qr.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const found = jsqr.default(new Uint8ClampedArray(data), info.width, info.height)
  return found?.data ?? assert.fail('no phone could read this code')
}

/** In 1/100 token, or pieces. */
export async function balanceIn(
  office: BrowserOffice,
  owner: 'agent' | 'merchant',
  id: number | string,
  asset: CreditedAsset,
): Promise<number> {
  const [account] = await office.sql<{ balance: string }>(
    'select balance from ledger_accounts where owner_kind = $1 and owner_id = $2 and asset = $3',
    [owner, id, asset],
  )
  return Number(account?.balance ?? 0)
}

/** Leaves an agent with exactly so much: the rest is spent, or what is wanting credited. */
export async function leave(
  office: BrowserOffice,
  agentId: number,
  asset: CreditedAsset,
  left: number,
): Promise<void> {
  const change = left - (await balanceIn(office, 'agent', agentId, asset))
  if (change === 0) return
  const agent = { kind: 'agent', id: agentId }
  const vendor = { kind: 'vendor', book: 'issued' }
  const movement = {
    kind: 'credit',
    asset,
    amount: Math.abs(change),
    from: change < 0 ? agent : vendor,
    to: change < 0 ? vendor : agent,
    document: '0'.repeat(22),
    payMethod: 'gift',
    agentId,
    actorId: 1,
    actorName: '测试',
    description: '余额调整',
    remark: '',
  }
  await office.sql('select ledger_post($1::jsonb)', [JSON.stringify([movement])])
}

export async function newestIntent(office: BrowserOffice): Promise<Intent> {
  const [intent] = await office.sql<Intent>('select * from payment_intents order by created_at desc limit 1')
  return intent ?? assert.fail('there is no payment')
}

export async function intents(office: BrowserOffice): Promise<number> {
  const [row] = await office.sql<{ n: number }>('select count(*)::int as n from payment_intents')
  return row?.n ?? 0
}

/** The codes of the cashier, opened by a browser that is no channel's own. */
export async function codesOf(
  office: BrowserOffice,
  address: string,
): Promise<{ cashier: Page } & Record<PayChannelName, string>> {
  const cashier = await office.open({ viewport: PHONE })
  await cashier.goto(address)
  const codes = await Promise.all(
    SIMULATED_CHANNELS.map(async name => {
      const region = cashier.getByRole('region', { name: `${CHANNEL_NAMES[name]}付款码` })
      return [name, await read(code(region))] as const
    }),
  )
  return { cashier, ...perChannel(() => ''), ...Object.fromEntries(codes) }
}

/** The phone that has scanned this code. */
export async function phoneWith(office: BrowserOffice, scanned: string): Promise<Page> {
  const phone = await office.open({ viewport: PHONE })
  await phone.goto(`${office.outside?.simulators.phoneUrl}?code=${encodeURIComponent(scanned)}`)
  return phone
}

export async function pay(
  office: BrowserOffice,
  scanned: string,
  press = '支付',
  answer = '支付成功',
): Promise<void> {
  const phone = await phoneWith(office, scanned)
  await phone.getByRole('button', { name: press, exact: true }).click()
  await see(phone.getByRole('status').getByText(answer))
}

/** Pays at a cashier with either app. */
export async function payAt(
  office: BrowserOffice,
  address: string,
  by: PayChannelName = 'wechat',
): Promise<void> {
  const { cashier, ...codes } = await codesOf(office, address)
  await pay(office, codes[by])
  await cashier.close()
}
