import { passToken } from '#features/office/captcha/contract.ts'
import { PASS_REFUSALS } from '#features/office/captcha/rules.ts'
import { REFUND_REFUSALS, START_REFUSALS } from '#features/sales/payments/rules.ts'
import { CODE_REFUSALS, SEND_REFUSALS } from '#features/shops/messages/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { codeText, linesText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ONLINE_RENEWAL_FIELDS, ONLINE_RENEWALS } from './fields.ts'
import {
  BLOCK_TYPE_KEYS,
  LINK_REFUSALS,
  PAGE_REFUSALS,
  PRICE_REFUSALS,
  RENEWAL_REFUSALS,
  RENEWAL_SCOPE_KEYS,
  RENEWAL_STATE_KEYS,
  SHOP_REFUSALS,
} from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(2_000)

const Content = z.object({
  blocks: z
    .array(
      z.object({
        type: z.enum(BLOCK_TYPE_KEYS),
        enabled: z.boolean(),
        text,
        pictureId: z.uuid().nullable(),
        skips: z.boolean(),
        link: lineText.max(2_000),
      }),
    )
    .length(BLOCK_TYPE_KEYS.length),
  notices: z.array(z.object({ title: lineText.max(2_000), body: text })).max(20),
})

const Version = z.object({
  number: z.number(),
  content: Content,
  restoredFrom: z.number().nullable(),
  publishedByName: z.string(),
  publishedAt: z.string(),
})

const Draft = z.object({ revision: z.number(), savedByName: z.string(), savedAt: z.string() })
const Price = z.object({ versionId: z.number(), years: z.number(), priceFen: z.number() })
const pageErrors = errorsOf(PAGE_REFUSALS)
const merchantId = whole(1)
/** Unguessable; an unknown one and one that was revoked are answered alike. */
const code = z.string().regex(/^[\w-]{32}$/)
const orderNo = z.string().regex(/^\d{22}$/)
const renewalState = z.enum(RENEWAL_STATE_KEYS)

const Link = z.object({
  /** Null: there is none. */
  link: z.object({ url: z.string(), createdByName: z.string(), createdAt: z.string() }).nullable(),
  history: z.array(
    z.object({
      createdByName: z.string(),
      createdAt: z.string(),
      revokedByName: z.string(),
      revokedAt: z.string().nullable(),
    }),
  ),
})

/** What a shop may buy for itself. Money in fen, for all its shops together. */
const Offered = z.object({
  versionId: z.number(),
  versionName: z.string(),
  years: z.number(),
  scope: z.enum(RENEWAL_SCOPE_KEYS),
  /** Of a chain: that are renewed together with its head, and that are not. */
  branches: z.number(),
  branchesLeft: z.number(),
  shops: z.number(),
  amountFen: z.number(),
  expiresAfter: z.string().nullable(),
})

/** A payment of this shop that is neither renewed nor given back. */
const Owed = z.object({ orderNo: z.string(), state: renewalState, paidAt: z.string().nullable() })

const ShopPage = z.object({
  state: z.enum(['open', 'shopDisabled', 'agentDisabled']),
  /** Null where the page is closed. */
  shop: z
    .object({
      name: z.string(),
      versionName: z.string(),
      /** Null: permanent. */
      expiresAt: z.string().nullable(),
      daysLeft: z.number().nullable(),
      smsBalance: z.number(),
    })
    .nullable(),
  agent: z
    .object({
      name: z.string(),
      /** Path of a picture, or null. */
      logo: z.string().nullable(),
    })
    .nullable(),
  blocks: z.array(
    z.object({
      type: z.enum(BLOCK_TYPE_KEYS),
      text: z.string(),
      /** Path of a picture, or null. */
      picture: z.string().nullable(),
      /** Where a click leads to; null: nowhere. */
      link: z.string().nullable(),
    }),
  ),
  notices: z.array(z.object({ title: z.string(), body: z.string() })),
  renewal: z.object({ offers: z.array(Offered), owed: z.array(Owed) }),
})

export const shopPages = {
  /** What the acting agent's shops see: the draft where there is one, what is published, earlier versions. */
  settings: op(
    { permission: 'shopPages.edit' },
    { method: 'GET', path: '/shop-pages/settings', summary: "Home page of the agent's shops" },
  ).output(
    z.object({
      content: Content,
      /** 0: never saved; sent with the next save. */
      revision: z.number(),
      draft: Draft.nullable(),
      versions: z.array(Version),
      companyName: z.string(),
      logo: z.string().nullable(),
    }),
  ),
  saveDraft: op(
    { permission: 'shopPages.edit', log: '保存门店首页草稿', stale: ['shopPages'] },
    { method: 'PUT', path: '/shop-pages/settings', summary: 'Save the draft of the home page' },
  )
    .errors(pageErrors)
    .input(z.object({ content: Content, revision: whole(0) }))
    .output(z.object({ revision: z.number() })),
  /** Saves and shows it to all shops. */
  publish: op(
    { permission: 'shopPages.edit', log: '发布门店首页', stale: ['shopPages'] },
    { method: 'POST', path: '/shop-pages/versions', summary: 'Publish the home page' },
  )
    .errors(pageErrors)
    .input(z.object({ content: Content, revision: whole(0) }))
    .output(z.object({ number: z.number() })),
  /** Publishes an earlier version again, as a new one. */
  restore: op(
    { permission: 'shopPages.edit', log: '恢复门店首页', stale: ['shopPages'] },
    { method: 'POST', path: '/shop-pages/versions/{number}/restore', summary: 'Restore an earlier version' },
  )
    .errors(pageErrors)
    .input(z.object({ number: whole(1) }))
    .output(z.object({ number: z.number() })),

  offer: op(
    { permission: 'shopPages.offer' },
    { method: 'GET', path: '/shop-pages/offer', summary: 'What shops may renew online, and for how much' },
  ).output(
    z.object({
      enabled: z.boolean(),
      revision: z.number(),
      savedByName: z.string(),
      savedAt: z.string().nullable(),
      prices: z.array(Price),
      /** Versions that are renewed by the year, with what a year and shop costs the agent, and the agent's own price of it. */
      versions: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          yearCents: z.number(),
          sellingFen: z.number().nullable(),
        }),
      ),
      /** Why it cannot be switched on now. */
      refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  setOffer: op(
    { permission: 'shopPages.offer', log: '设置在线续费', stepUp: true, stale: ['shopPages'] },
    { method: 'PUT', path: '/shop-pages/offer', summary: 'Set what shops may renew online' },
  )
    .errors(errorsOf(PRICE_REFUSALS))
    .input(z.object({ enabled: z.boolean(), prices: z.array(Price).max(200), revision: whole(0) }))
    .output(z.object({ revision: z.number() })),

  link: op(
    { permission: 'shopPages.link' },
    { method: 'GET', path: '/shop-pages/links/{merchantId}', summary: "Address of a shop's page" },
  )
    .input(z.object({ merchantId }))
    .output(Link),
  makeLink: op(
    { permission: 'shopPages.link', log: '生成门店页面链接', stale: ['shopPages'] },
    { method: 'POST', path: '/shop-pages/links/{merchantId}', summary: "Make the address of a shop's page" },
  )
    .errors(errorsOf(LINK_REFUSALS))
    .input(z.object({ merchantId }))
    .output(z.object({ url: z.string() })),
  /** The old address opens nothing any more; a new one takes its place. */
  renewLink: op(
    { permission: 'shopPages.link', log: '更换门店页面链接', stale: ['shopPages'] },
    {
      method: 'POST',
      path: '/shop-pages/links/{merchantId}/renew',
      summary: 'Revoke the address, and make another',
    },
  )
    .errors(errorsOf(LINK_REFUSALS))
    .input(z.object({ merchantId }))
    .output(z.object({ url: z.string() })),

  renewals: op(
    { permission: 'shopPages.renewals' },
    { method: 'GET', path: '/shop-pages/renewals', summary: 'Renewals that shops paid online' },
  )
    .input(z.object(listInput(ONLINE_RENEWALS)))
    .output(
      pageOf(z.object(outputShape(ONLINE_RENEWAL_FIELDS, 'row'))).extend({
        paidFen: z.number(),
        refundedFen: z.number(),
        /** The search met more shops than it looks for. */
        shopsCapped: z.boolean(),
      }),
    ),
  /** Has the program try again now. */
  retry: op(
    { permission: 'shopPages.renewals', log: '重试在线续费', stale: ['shopPages'] },
    { method: 'POST', path: '/shop-pages/renewals/{orderNo}/retry', summary: 'Try a paid renewal again' },
  )
    .errors(errorsOf(RENEWAL_REFUSALS))
    .input(z.object({ orderNo }))
    .output(z.object({ state: renewalState })),
  /** The money goes back the way it came. */
  refund: op(
    { permission: 'shopPages.refund', log: '在线续费退款', stepUp: true, stale: ['shopPages'] },
    { method: 'POST', path: '/shop-pages/renewals/{orderNo}/refund', summary: 'Give back what a shop paid' },
  )
    .errors(errorsOf({ ...RENEWAL_REFUSALS, ...REFUND_REFUSALS }))
    .input(z.object({ orderNo, reason: text }))
    .output(z.object({ refundNo: z.string(), amountFen: z.number() })),

  /** Public. What a shop sees at its address, also for a point-of-sale client: it names its state (ETag). */
  page: op(
    { permission: 'public' },
    { method: 'GET', path: '/shop-pages/{code}', summary: "A shop's own page" },
  )
    .input(z.object({ code }))
    .output(ShopPage),
  /** Public. To the shop's own phone, after a puzzle (scene `shop`, the code as its subject). */
  sendCode: op(
    { unshown: 'a code is read on a phone', permission: 'public', log: '门店页面发送验证码' },
    { method: 'POST', path: '/shop-pages/{code}/codes', summary: 'Send a code to the phone of the shop' },
  )
    .errors(errorsOf({ ...SEND_REFUSALS, ...PASS_REFUSALS, ...SHOP_REFUSALS }))
    .input(z.object({ code, captcha: passToken }))
    .output(
      z.object({
        secondsLeft: z.number(),
        /** Where it can be read, while SMS is simulated; else null. */
        inboxUrl: z.string().nullable(),
      }),
    ),
  /** Public. A session for this page alone, which ends after half an hour. */
  signIn: op(
    { unshown: 'a page without an account asks again by itself', permission: 'public', log: '门店页面登录' },
    { method: 'POST', path: '/shop-pages/{code}/session', summary: 'Sign in as the shop, with a code' },
  )
    .errors(errorsOf({ ...CODE_REFUSALS, ...SHOP_REFUSALS }))
    .input(z.object({ code, typed: codeText.max(20) }))
    .output(z.object({ expiresAt: z.string() })),
  signOut: op(
    { permission: 'public', ephemeral: true },
    { method: 'DELETE', path: '/shop-pages/{code}/session', summary: 'Sign out of the page' },
  )
    .input(z.object({ code }))
    .output(z.object({ ended: z.literal(true) })),
  /** Public. What only the shop itself may see; null for everybody who has not signed in. */
  account: op(
    { permission: 'public' },
    { method: 'GET', path: '/shop-pages/{code}/account', summary: 'What the signed-in shop sees' },
  )
    .errors(errorsOf(SHOP_REFUSALS))
    .input(z.object({ code }))
    .output(
      z
        .object({
          expiresAt: z.string(),
          /** Masked. */
          contact: z.object({ personName: z.string(), phone: z.string(), shopPhone: z.string() }),
          orders: z.array(
            z.object({
              orderNo: z.string(),
              content: z.string(),
              duration: z.string(),
              paidAt: z.string(),
              undone: z.boolean(),
            }),
          ),
          services: z.array(
            z.object({ name: z.string(), expiresAt: z.string().nullable(), daysLeft: z.number().nullable() }),
          ),
          receipts: z.array(
            z.object({
              orderNo: z.string(),
              shopName: z.string(),
              versionName: z.string(),
              years: z.number(),
              shops: z.number(),
              amountFen: z.number(),
              payMethod: z.string(),
              state: renewalState,
              paidAt: z.string(),
              payee: z.string(),
            }),
          ),
        })
        .nullable(),
    ),
  /** Public. `amountFen` is what the page showed; another price is refused. */
  renew: op(
    { unshown: 'a page without an account asks again by itself', permission: 'public', log: '在线续费下单' },
    { method: 'POST', path: '/shop-pages/{code}/renewals', summary: 'Order a renewal, to be paid by QR' },
  )
    .errors(errorsOf({ ...SHOP_REFUSALS, ...START_REFUSALS }))
    .input(z.object({ code, versionId: whole(1), years: whole(1), amountFen: z.number().int() }))
    .output(
      z.object({
        orderNo: z.string(),
        amountFen: z.number(),
        /** The cashier's address. */
        payUrl: z.string(),
        remainingSeconds: z.number(),
      }),
    ),
  /** Public. What became of it. */
  renewal: op(
    { permission: 'public' },
    { method: 'GET', path: '/shop-pages/{code}/renewals/{orderNo}', summary: 'How a renewal stands' },
  )
    .input(z.object({ code, orderNo }))
    .output(
      z.object({
        orderNo: z.string(),
        state: renewalState,
        amountFen: z.number(),
        versionName: z.string(),
        years: z.number(),
        /** The term's end once it was renewed. */
        expiresAt: z.string().nullable(),
      }),
    ),
}

export const shopPageDownloads = { renewals: fileOf(ONLINE_RENEWALS) }

export type RenewalRow = Out<typeof shopPages.renewals>['rows'][number]

export type PageSettings = Out<typeof shopPages.settings>
