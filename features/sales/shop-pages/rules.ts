// Owns what an agent's shops see at their page (D3 §2, §3 Home-page config, §5) and a shop's renewal online: blocks, prices, states.
// Must never read a clock or a database.
import { VERSION_REFUSALS } from '#features/shops/versions/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** The six typed blocks, in the order in which they stand. */
export const BLOCK_TYPES = {
  manager: '服务经理',
  hotline: '服务热线',
  contact: '联系二维码',
  linkOne: '链接一',
  linkTwo: '链接二',
  picture: '图片',
} as const
export type BlockType = keyof typeof BLOCK_TYPES
export const BLOCK_TYPE_KEYS = Object.keys(BLOCK_TYPES) as BlockType[]

export type Block = {
  type: BlockType
  enabled: boolean
  text: string
  /** Of an upload. */
  pictureId: string | null
  /** A click leads to the link (isSkip). */
  skips: boolean
  link: string
}
export type PageNotice = { title: string; body: string }
/** What is drafted, published and restored as one. */
export type PageContent = { blocks: readonly Block[]; notices: readonly PageNotice[] }

export const LIMITS = {
  text: 100,
  link: 500,
  notices: 3,
  noticeTitle: 30,
  noticeBody: 300,
  versionsShown: 50,
  yearsMax: 5,
  prices: 60,
  /** 1,000,000 yuan. */
  priceFenMax: 100_000_000,
  reason: 50,
} as const

/** The documents take no larger pictures of shops' pages. */
export const SHOP_PICTURE_KB = setting({
  key: 'shop-picture-kb',
  group: '上传',
  label: '商户首页图片',
  unit: 'KB',
  initial: 300,
  min: 100,
  max: 4_096,
})

/** How large the documents want the pictures; kept at twice that, for dense screens. */
export const PICTURES = {
  shopPageIcon: { width: 100, height: 100, side: 200 },
  shopPagePicture: { width: 260, height: 150, side: 520 },
} as const
export type PicturePurpose = keyof typeof PICTURES

export function pictureOf(type: BlockType): PicturePurpose {
  return type === 'picture' ? 'shopPagePicture' : 'shopPageIcon'
}

export function emptyContent(): PageContent {
  return {
    blocks: BLOCK_TYPE_KEYS.map(type => ({
      type,
      enabled: type === 'manager' || type === 'hotline',
      text: '',
      pictureId: null,
      skips: false,
      link: '',
    })),
    notices: [],
  }
}

export const PAGE_REFUSALS = {
  MANAGER_REQUIRED: '请输入服务经理',
  HOTLINE_REQUIRED: '请输入服务热线',
  HOTLINE_INVALID: '请输入正确的服务热线，如 400-800-1234',
  TEXT_TOO_LONG: `文字不得超过${LIMITS.text}字`,
  LINK_TEXT_REQUIRED: '请输入链接文字',
  CONTACT_PICTURE_REQUIRED: '请选择二维码图片',
  PICTURE_REQUIRED: '请选择图片',
  LINK_REQUIRED: '请输入跳转地址',
  LINK_INVALID: `跳转地址须以 http:// 或 https:// 开头，不超过${LIMITS.link}字`,
  NOTICES_TOO_MANY: `公告最多${LIMITS.notices}条`,
  NOTICE_TITLE_REQUIRED: '请输入公告标题',
  NOTICE_TITLE_TOO_LONG: `公告标题不得超过${LIMITS.noticeTitle}字`,
  NOTICE_BODY_TOO_LONG: `公告内容不得超过${LIMITS.noticeBody}字`,
  PICTURE_UNKNOWN: '图片不存在或已失效，请重新上传',
  NOTHING_TO_PUBLISH: '没有需要发布的修改',
} as const
export type PageRefusal = keyof typeof PAGE_REFUSALS
export type Broken = { code: PageRefusal; field: string }

/** The broken rules of a page in the order of the form, one for each field. */
export function brokenIn({ blocks, notices }: PageContent): Broken[] {
  const broken: Broken[] = []
  const rule = (holds: boolean, field: string, code: PageRefusal) => {
    if (!holds && !broken.some(one => one.field === field)) broken.push({ code, field })
  }
  for (const { type, enabled, text, pictureId, skips, link } of blocks) {
    const typed = text.trim()
    const has = typed !== ''
    if (type === 'manager') rule(has, 'manager.text', 'MANAGER_REQUIRED')
    if (type === 'hotline') {
      rule(has, 'hotline.text', 'HOTLINE_REQUIRED')
      rule(isHotline(typed), 'hotline.text', 'HOTLINE_INVALID')
    }
    if (type === 'linkOne' || type === 'linkTwo') rule(!enabled || has, `${type}.text`, 'LINK_TEXT_REQUIRED')
    rule([...typed].length <= LIMITS.text, `${type}.text`, 'TEXT_TOO_LONG')
    if (type === 'contact')
      rule(!enabled || pictureId !== null, 'contact.pictureId', 'CONTACT_PICTURE_REQUIRED')
    if (type === 'picture') rule(!enabled || pictureId !== null, 'picture.pictureId', 'PICTURE_REQUIRED')
    if (!skips) continue
    rule(link.trim() !== '', `${type}.link`, 'LINK_REQUIRED')
    rule(isLink(link.trim()), `${type}.link`, 'LINK_INVALID')
  }
  if (notices.length > LIMITS.notices) broken.push({ code: 'NOTICES_TOO_MANY', field: 'notices' })
  for (const [at, { title, body }] of notices.entries()) {
    rule(title.trim() !== '', `notices.${at}.title`, 'NOTICE_TITLE_REQUIRED')
    rule(lengthOf(title) <= LIMITS.noticeTitle, `notices.${at}.title`, 'NOTICE_TITLE_TOO_LONG')
    rule(lengthOf(body) <= LIMITS.noticeBody, `notices.${at}.body`, 'NOTICE_BODY_TOO_LONG')
  }
  return broken
}

/** Digits with what people put between them. */
export function isHotline(text: string): boolean {
  return /^\+?[\d ()-]{5,24}$/.test(text) && text.replace(/\D/g, '').length >= 5
}

/** An address of the web: nothing that runs in the page. */
export function isLink(text: string): boolean {
  return text.length <= LIMITS.link && /^https?:\/\/[^\s"'<>]+$/.test(text) && URL.canParse(text)
}

/** As it is kept: without blanks around, and without a link where none is led to. */
export function tidy({ blocks, notices }: PageContent): PageContent {
  return {
    blocks: BLOCK_TYPE_KEYS.flatMap(type => {
      const block = blocks.find(one => one.type === type)
      if (!block) return []
      const { enabled, text, pictureId, skips, link } = block
      return [{ type, enabled, text: text.trim(), pictureId, skips, link: skips ? link.trim() : '' }]
    }),
    notices: notices.map(({ title, body }) => ({ title: title.trim(), body: body.trim() })),
  }
}

/** One after the other, as the contents are kept. */
export function isSame(one: PageContent, other: PageContent): boolean {
  return JSON.stringify(tidy(one)) === JSON.stringify(tidy(other))
}

/** A content as its form holds it: each block under its name, so that a field is named by block and part. */
export type Draft = Record<BlockType, Block> & { notices: { title: string; body: string }[] }

export function draftOf(content: PageContent): Draft {
  const named = [...emptyContent().blocks, ...content.blocks].map(
    block => [block.type, { ...block }] as const,
  )
  return {
    ...(Object.fromEntries(named) as Record<BlockType, Block>),
    notices: content.notices.map(notice => ({ ...notice })),
  }
}

export function contentOf(draft: Draft) {
  return { blocks: BLOCK_TYPE_KEYS.map(type => draft[type]), notices: draft.notices }
}

export const LINK_REFUSALS = {
  LINK_STANDS: '该商户已有门店页面链接',
  LINK_GONE: '该链接已更换，请刷新后重试',
  MERCHANT_DISABLED: '该商户已禁用',
  NOT_OWN_SHOP: '只能为自己的商户生成链接',
} as const

export const PRICE_REFUSALS = {
  PRICE_INVALID: `请输入大于0、不超过${LIMITS.priceFenMax / 1_000_000}万的价格，最多两位小数`,
  YEARS_INVALID: `年数为1至${LIMITS.yearsMax}年`,
  PRICE_TWICE: '同一版本和年数只能有一个价格',
  PRICE_NONE: '请先设置至少一个价格',
  PRICES_TOO_MANY: '价格数量过多',
  VERSION_NOT_AUTHORIZED: VERSION_REFUSALS.VERSION_NOT_AUTHORIZED,
  VERSION_NOT_SOLD: '该版本不按年续费，请重新选择',
  PAYMENT_OFF: '尚未开通收款，请先在支付设置中填写并启用自己的收款账户',
} as const
export type PriceRefusal = keyof typeof PRICE_REFUSALS

/** What a shop pays its agent for so many years of a version, for each shop that it stands for. */
export type OfferPrice = { versionId: number; years: number; priceFen: number }

/** The first broken rule of an offer, with its field. */
export function refuseOffer(offer: {
  enabled: boolean
  prices: readonly OfferPrice[]
}): { code: PriceRefusal; field: string } | null {
  const seen = new Set<string>()
  if (offer.prices.length > LIMITS.prices) return { code: 'PRICES_TOO_MANY', field: 'prices' }
  for (const { versionId, years, priceFen } of offer.prices) {
    const field = priceField(versionId, years)
    if (!Number.isSafeInteger(years) || years < 1 || years > LIMITS.yearsMax)
      return { code: 'YEARS_INVALID', field }
    if (!Number.isSafeInteger(priceFen) || priceFen < 1 || priceFen > LIMITS.priceFenMax)
      return { code: 'PRICE_INVALID', field }
    if (seen.has(field)) return { code: 'PRICE_TWICE', field }
    seen.add(field)
  }
  return offer.enabled && offer.prices.length === 0 ? { code: 'PRICE_NONE', field: 'prices' } : null
}

export function priceField(versionId: number, years: number): string {
  return `price-${versionId}-${years}`
}

/** What a renewal reaches: the shop that pays, or as a chain's head all its branches too (IsAddShop 3). */
export const RENEWAL_SCOPES = { head: '本店', all: '总店及全部分店' } as const
export type RenewalScope = keyof typeof RENEWAL_SCOPES
export const RENEWAL_SCOPE_KEYS = Object.keys(RENEWAL_SCOPES) as RenewalScope[]

/** paid: it is being renewed. short: the agent's tokens do not suffice yet. stuck: somebody must decide. */
export const RENEWAL_STATES = {
  waiting: '待支付',
  paid: '已支付，开通中',
  short: '已支付，待充值',
  stuck: '已支付，待处理',
  renewed: '已续费',
  refunded: '已退款',
  expired: '已失效',
} as const
export type RenewalState = keyof typeof RENEWAL_STATES
export const RENEWAL_STATE_KEYS = Object.keys(RENEWAL_STATES) as RenewalState[]

/** Of a shop's renewal that is paid online. What was paid late is renewed all the same. */
export const ONLINE_RENEWAL_STEPS = {
  pay: { from: ['waiting', 'expired'], to: 'paid', by: ['provider'] },
  expire: { from: ['waiting'], to: 'expired', by: ['program'] },
  renew: { from: ['paid', 'short'], to: 'renewed', by: ['program'] },
  wait: { from: ['paid', 'short'], to: 'short', by: ['program'] },
  stick: { from: ['paid', 'short'], to: 'stuck', by: ['program'] },
  retry: { from: ['short', 'stuck'], to: 'paid', by: ['shopPages.renewals'] },
  refund: {
    from: ['paid', 'short', 'stuck', 'renewed'],
    to: 'refunded',
    by: ['shopPages.refund', 'paymentDesk.refund'],
  },
} as const satisfies Machine<RenewalState>

/** Paid for, and neither renewed nor given back. */
export const OWED = ['paid', 'short', 'stuck'] as const satisfies RenewalState[]

export const RENEWAL_REFUSALS = {
  RETRY_NOT_WANTED: '该订单无需重试',
  REFUND_NOT_PAID: '该订单未支付或已退款',
  REFUND_RENEWED: '该订单已续费，请先撤销对应的版本订单再退款',
  REASON_REQUIRED: '请输入退款原因',
  REASON_TOO_LONG: `退款原因不得超过${LIMITS.reason}字`,
} as const
export type RenewalRefusal = keyof typeof RENEWAL_REFUSALS

export function refuseRetry(state: RenewalState): RenewalRefusal | null {
  const { from }: { from: readonly RenewalState[] } = ONLINE_RENEWAL_STEPS.retry
  return from.includes(state) ? null : 'RETRY_NOT_WANTED'
}

/** `isUndone`: the renewal was taken back, and with it the tokens. */
export function refuseRefund(renewal: { state: RenewalState; isUndone: boolean }): RenewalRefusal | null {
  const { from }: { from: readonly RenewalState[] } = ONLINE_RENEWAL_STEPS.refund
  if (!from.includes(renewal.state)) return 'REFUND_NOT_PAID'
  return renewal.state === 'renewed' && !renewal.isUndone ? 'REFUND_RENEWED' : null
}

export function refuseReason(reason: string): RenewalRefusal | null {
  if (reason.trim() === '') return 'REASON_REQUIRED'
  return lengthOf(reason) > LIMITS.reason ? 'REASON_TOO_LONG' : null
}

/** Why a paid renewal stopped, where its shop is no longer as it was when it paid. */
export const STUCK_WORDS = {
  DISABLED: '商户已禁用，启用后可重试',
  BRANCH: '有分店已禁用或已永久有效，与付款时不同',
  MOVED: '商户不存在或已转至其他服务商',
  VERSION: '商户的版本已变更，与付款时不同',
  SHOPS: '商户的店铺数已变更，与付款时不同',
  FAILED: '系统多次未能开通',
} as const

export const SHOP_REFUSALS = {
  PAGE_CLOSED: '该页面暂不可用，请联系服务商',
  RENEWAL_NOT_OFFERED: '该续费方案已变更，请刷新后重试',
  PRICE_CHANGED: '价格已变动，请重新确认',
  RENEWALS_TOO_MANY: '下单过于频繁，请稍后再试',
} as const

/** Orders that a shop's page takes in an hour. */
export const ORDERS_PER_HOUR = 10
/** How long a shop stays signed in at its page. */
export const SESSION_MINUTES = 30
/** Codes of nobody that a network may ask for in ten minutes. */
export const UNKNOWN_CODES = { perNetwork: 30, minutes: 10 } as const
/** What the page shows of the past. */
export const SHOWN_TO_SHOP = 20

/** How often the page asks what became of its payment, and how long an open page stays as it is. */
export const POLL_MS = { paying: 2_000, waiting: 15_000 } as const

/** Tries of a renewal that failed without a reason of its own before somebody is asked, and the wait between them. */
export const TRIES_MAX = 12
export function secondsUntilTry(tries: number): number {
  return Math.min(300, 2 ** tries)
}

/** Whole days until a term ends, begun ones whole; 0 once it has ended. */
export function daysLeft(expiresAt: string, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 86_400_000))
}
