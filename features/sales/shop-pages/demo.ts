// Demo data of shops' pages: what the first agent shows its shops, some addresses, prices, and renewals in every state.
import { demoNo } from '#features/money/ledger/demo.ts'
import { DEMO_AGENTS, demoOwner } from '#features/office/access/demo.ts'
import { BUSINESS_TYPES, outTradeNoOf } from '#features/sales/payments/rules.ts'
import { paymentAttempts, paymentIntents } from '#features/sales/payments/tables.ts'
import { demoPurchases } from '#features/sales/purchases/demo.ts'
import { type DemoShop, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import { OWN_CHANNELS } from '#kit/ports/channels.ts'
import { ago, type Demo, drawPicture, later, workHour } from '#server/demo.ts'
import { type Block, type BlockType, emptyContent, type PageContent, type RenewalState } from './rules.ts'
import {
  onlineRenewals,
  renewalOffers,
  renewalPrices,
  shopCodes,
  shopPageDrafts,
  shopPagePictures,
  shopPageVersions,
} from './tables.ts'

const AGENT = DEMO_AGENTS.first
const LINKED_SHOPS = 12
const ADDED_FEN = 6_000

const svg = (width: number, height: number, inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`
const PERSON = svg(
  200,
  200,
  '<rect width="200" height="200" fill="#e4edfd"/><circle cx="100" cy="78" r="36" fill="#2f68d8"/><path d="M30 190c6-52 38-72 70-72s64 20 70 72z" fill="#2f68d8"/>',
)
const BANNER = svg(
  520,
  300,
  '<rect width="520" height="300" fill="#1f5fd6"/><circle cx="430" cy="70" r="120" fill="#386fde"/><rect x="60" y="90" width="220" height="130" rx="16" fill="#fff"/><rect x="84" y="116" width="150" height="14" rx="7" fill="#cfd5dd"/><rect x="84" y="146" width="172" height="14" rx="7" fill="#cfd5dd"/><rect x="84" y="178" width="90" height="22" rx="11" fill="#19713a"/>',
)
/** Looks like a code and leads nowhere. */
const CODE = svg(
  200,
  200,
  `<rect width="200" height="200" fill="#fff"/>${Array.from({ length: 169 }, (_, i) =>
    (i * 7 + (i >> 2) * 5) % 3 === 0
      ? `<rect x="${22 + (i % 13) * 12}" y="${22 + Math.floor(i / 13) * 12}" width="12" height="12"/>`
      : '',
  ).join('')}`,
)

export async function demo(demo: Demo): Promise<void> {
  const by = demoOwner(demo, AGENT)
  const uploaded = { agentId: AGENT, createdBy: by.id, createdAt: ago(demo, 190) }
  const pictures: Partial<Record<BlockType, string | null>> = {
    manager: await drawPicture(demo, PERSON, { ...uploaded, purpose: 'shopPageIcon' }),
    contact: await drawPicture(demo, CODE, { ...uploaded, purpose: 'shopPageIcon' }),
    picture: await drawPicture(demo, BANNER, { ...uploaded, purpose: 'shopPagePicture' }),
  }
  publish(demo, 1, ago(demo, 189), contentOf({}, '试运行'))
  publish(demo, 2, ago(demo, 21), contentOf(pictures, '冬季回访'))
  demo.history.add(shopPageDrafts, {
    agentId: AGENT,
    content: contentOf(pictures, '元旦值班安排'),
    revision: 3,
    savedBy: by.id,
    savedByName: by.name,
    savedAt: ago(demo, 1),
  })
  demo.history.add(renewalOffers, {
    agentId: AGENT,
    enabled: true,
    revision: 1,
    savedByName: by.name,
    savedAt: ago(demo, 60),
  })
  for (const { id, priceYearCents } of VERSIONS.filter(({ id }) => id === 12 || id === 3))
    for (const years of [1, 2, 3])
      demo.history.add(renewalPrices, {
        ...{ agentId: AGENT, versionId: id, years },
        priceFen: ((priceYearCents ?? 0) + ADDED_FEN) * years,
      })
  demo.history.at(demo.now, () => addShops(demo))
}

function contentOf(pictures: Partial<Record<BlockType, string | null>>, notice: string): PageContent {
  const texts: Partial<Record<BlockType, Partial<Block>>> = {
    manager: { text: '陈经理 工作日 9:00-18:00' },
    hotline: { text: '400-800-1234' },
    contact: { text: '微信扫码添加客服', enabled: pictures.contact != null },
    linkOne: { text: '收银软件使用手册', enabled: true, skips: true, link: 'https://example.com/manual' },
    linkTwo: { text: '常见问题', enabled: true, skips: true, link: 'https://example.com/faq' },
    picture: { text: '老店续费享设备保养', enabled: pictures.picture != null },
  }
  const blocks = emptyContent().blocks.map(block => ({
    ...{ ...block, ...texts[block.type] },
    pictureId: pictures[block.type] ?? null,
  }))
  return { blocks, notices: [{ title: notice, body: '如需上门检查设备，请提前一天联系服务经理预约时间。' }] }
}

function publish(demo: Demo, number: number, at: string, content: PageContent): void {
  const by = demoOwner(demo, AGENT)
  const version = demo.history.add(shopPageVersions, {
    agentId: AGENT,
    number,
    content,
    publishedBy: by.id,
    publishedByName: by.name,
    publishedAt: at,
  })
  for (const { pictureId } of content.blocks)
    if (pictureId !== null)
      demo.history.add(shopPagePictures, { agentId: AGENT, versionId: version.id, fileId: pictureId })
}

function addShops(demo: Demo): void {
  const at = ago(demo, 0)
  const shops = demoShops(demo).filter(shop => shop.agentId === AGENT && shop.versionId === 12)
  const inUse = shops.filter(shop => isInUse(shop, at) && shop.expiresAt != null)
  const by = demoOwner(demo, AGENT)
  for (const shop of inUse.slice(-LINKED_SHOPS))
    demo.history.add(shopCodes, {
      agentId: AGENT,
      merchantId: shop.id,
      code: codeOf(demo),
      createdBy: by.id,
      createdByName: by.name,
      createdAt: workHour(demo, 30),
    })
  // Those that were renewed are orders that stand.
  const renewed = demoPurchases(demo)
    .filter(
      ({ order, plan }) =>
        order.agentId === AGENT &&
        order.versionId === 12 &&
        order.status === 'paid' &&
        order.batchNo == null &&
        plan.way.salesType === 'renew' &&
        plan.effects.length === 1,
    )
    .slice(-3)
  for (const { shop, order, plan } of renewed) {
    const { amountFen } = add(demo, shop, order.paidAt ?? at, 'renewed', {
      years: plan.terms.periods,
      versionOrderNo: order.orderNo,
    })
    Object.assign(order, { shopPaidFen: amountFen })
  }
  const [short, stuck, refunded, expired, waiting, paid] = inUse.slice(-LINKED_SHOPS)
  if (short)
    add(demo, short, ago(demo, 0.1), 'short', {
      problem: '代币不足，还差 120.00 代币，充值后自动开通',
      needCents: 10 ** 12,
    })
  if (stuck) add(demo, stuck, ago(demo, 0.6), 'stuck', { problem: '商户的店铺数已变更，与付款时不同' })
  if (refunded) add(demo, refunded, workHour(demo, 12), 'refunded', { payMethod: 'alipay' })
  // Of every further channel that it can be paid by.
  for (const payMethod of OWN_CHANNELS.slice(2))
    if (refunded) add(demo, refunded, workHour(demo, 14), 'refunded', { payMethod })
  if (expired) add(demo, expired, workHour(demo, 4), 'expired', {})
  if (waiting) add(demo, waiting, ago(demo, 0.003), 'waiting', {})
  if (paid) add(demo, paid, ago(demo, 0.001), 'paid', { tryAt: '2100-01-01T00:00:00.000Z' })
}

/** Nobody's address: as long as a real one. */
function codeOf({ random }: Demo): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from({ length: 32 }, () => letters[random.whole(letters.length)] ?? 'A').join('')
}

type More = Partial<typeof onlineRenewals.$inferInsert>

function add(demo: Demo, shop: DemoShop, at: string, state: RenewalState, more: More) {
  const isPaid = state !== 'waiting' && state !== 'expired'
  const years = more.years ?? 1
  const version = VERSIONS.find(({ id }) => id === shop.versionId)
  const amountFen = ((version?.priceYearCents ?? 0) + ADDED_FEN) * years * shop.shopsBought
  const [orderNo, intentId] = [demoNo(demo, at), demoNo(demo, at)]
  const paidAt = isPaid ? at : null
  const channel = more.payMethod ?? 'wechat'
  const createdAt = new Date(Date.parse(at) - 60_000).toISOString()
  demo.history.add(paymentIntents, {
    id: intentId,
    agentId: AGENT,
    accountId: 0,
    accountName: shop.shopName,
    payeeAgentId: AGENT,
    businessType: BUSINESS_TYPES.renewal,
    asset: 'renewal',
    orderNo,
    amountFen,
    subject: `${shop.shopName} 续费 ${version?.name} ${years} 年`,
    token: codeOf(demo),
    displayUntil: at,
    status: isPaid ? 'paid' : 'expired',
    paidBy: isPaid ? channel : null,
    createdAt,
    expiresAt: at,
    paidAt,
    askedAt: paidAt,
  })
  if (isPaid)
    demo.history.add(paymentAttempts, {
      intentId,
      agentId: AGENT,
      channel,
      outTradeNo: outTradeNoOf(intentId, channel),
      amountFen,
      status: 'paid',
      transactionId: `43${intentId}`,
      payer: '138****0002',
      paidAt,
      providerWords: 'SUCCESS',
      createdAt,
      updatedAt: at,
      asked: 1,
    })
  return demo.history.add(onlineRenewals, {
    ...{ orderNo, agentId: AGENT, merchantId: shop.id, shopName: shop.shopName, versionId: shop.versionId },
    ...{ years, shops: shop.shopsBought, amountFen, state, intentId, createdAt, paidAt },
    payMethod: isPaid ? channel : null,
    renewedAt: state === 'renewed' ? at : null,
    refundedAt: state === 'refunded' ? later(demo, at, 3) : null,
    ...more,
  })
}
