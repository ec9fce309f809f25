import { answered, risks } from '#features/office/prices/contract-asked.ts'
import { BOOKS, FIRSTS, PRICE_KINDS } from '#features/office/prices/rules.ts'
import { listInput, rowShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { lineText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import {
  CAMPAIGN_FIELDS,
  DISCOUNT_FIELDS,
  DISCOUNTS,
  LEVEL_CHANGE_FIELDS,
  LEVEL_CHANGES,
  PRICE_CAMPAIGNS,
  PRICE_FIELDS,
  PRICES,
} from './fields.ts'
import {
  CAMPAIGN_REFUSALS,
  DATED_STATES,
  DISCOUNT_REFUSALS,
  LEVEL_REFUSALS,
  PRICE_REFUSALS,
} from './rules.ts'

const keysOf = <T extends object>(words: T) =>
  Object.keys(words) as [keyof T & string, ...(keyof T & string)[]]
const book = z.enum(keysOf(BOOKS))
const item = whole(0)
const part = madeText.max(20)
const kind = z.enum(keysOf(PRICE_KINDS))
const moment = z.iso.datetime().nullable()
const state = z.enum(keysOf(DATED_STATES))
const done = z.object({ done: z.literal(true) })

/** What a price is for, and from when; without a moment from now on. `answered`: what of it somebody was asked about and wants. */
const NewPrice = z.object({
  ...{ book, item, part, kind, cents: z.number().nullable(), startsAt: moment },
  answered,
})

/** Whatever is set here may ask other pages for new prices. */
const STALE = [
  'priceDesk',
  'versions',
  'services',
  'sms',
  'hardware',
  'purchases',
  'payments',
  'paymentDesk',
  'renewals',
  'agents',
  'agentDesk',
  'partners',
  'insights',
]

export const priceDesk = {
  /** Every item of every book by each part that it is or was sold by. */
  prices: op(
    { permission: 'priceDesk.prices', forKeys: false },
    { method: 'GET', path: '/prices', summary: 'Prices now and next, of all books' },
  )
    .input(z.object(listInput(PRICES)))
    .output(pageOf(z.object({ ...rowShape(PRICE_FIELDS), item: z.number(), part: z.string() }))),
  /** All that was ever written down about an item, the latest beginning first. */
  history: op(
    { permission: 'priceDesk.prices', forKeys: false },
    { method: 'GET', path: '/prices/{book}/{item}', summary: 'History of the prices of an item' },
  )
    .input(z.object({ book, item }))
    .output(
      z.object({
        itemName: z.string(),
        rows: z.array(
          z.object({
            id: z.number(),
            part: z.string(),
            unit: z.string(),
            kind,
            cents: z.number().nullable(),
            startsAt: z.string(),
            state,
            /** It holds, and nothing was sold at it: it can be taken back. */
            isUnsold: z.boolean(),
            createdByName: z.string(),
            createdAt: z.string(),
            withdrawnAt: z.string().nullable(),
            withdrawnByName: z.string(),
          }),
        ),
      }),
    ),
  /** What a new price would change, and for whom. */
  preview: op(
    { permission: 'priceDesk.setPrice', forKeys: false },
    { method: 'GET', path: '/price-previews', summary: 'What a new price changes' },
  )
    .errors(errorsOf(PRICE_REFUSALS))
    .input(
      z.object({ book, item, part, kind, cents: whole(0).optional(), startsAt: z.iso.datetime().optional() }),
    )
    .output(
      z.object({
        beforeCents: z.number().nullable(),
        /** What it has to be asked about. */
        risks,
        levels: z.array(
          z.object({
            name: z.string(),
            agents: z.number(),
            beforeCents: z.number().nullable(),
            afterCents: z.number().nullable(),
          }),
        ),
        /** Shops that have it, and agents with such shops. */
        shops: z.number(),
        agents: z.number(),
        /** Of a price per year: renewals due in the 90 days after it begins, and what they cost more or less. */
        renewals: z.object({ count: z.number(), differenceCents: z.number() }).nullable(),
      }),
    ),
  setPrice: op(
    { permission: 'priceDesk.setPrice', log: '设置价格', stepUp: true, forKeys: false, stale: STALE },
    { method: 'POST', path: '/prices', summary: 'Set a price from now or a moment on' },
  )
    .errors(errorsOf(PRICE_REFUSALS))
    .input(NewPrice)
    .output(done),
  withdrawPrice: op(
    { permission: 'priceDesk.setPrice', log: '撤回价格', stepUp: true, forKeys: false, stale: STALE },
    {
      method: 'DELETE',
      path: '/prices/{id}',
      summary: 'Withdraw a price that has not begun, or at which nothing was sold',
    },
  )
    .errors(errorsOf(PRICE_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(done),
  /** Prices and levels were looked through: from here on they are no examples. */
  review: op(
    {
      permission: 'priceDesk.setPrice',
      log: '确认价格已核对',
      forKeys: false,
      stale: ['priceDesk', 'access', 'setup'],
    },
    { method: 'POST', path: '/price-reviews', summary: 'Say that prices and levels were looked through' },
  ).output(done),
  discounts: op(
    { permission: 'priceDesk.discounts', forKeys: false },
    { method: 'GET', path: '/discounts', summary: 'Discounts of levels and agents' },
  )
    .input(z.object(listInput(DISCOUNTS)))
    .output(pageOf(z.object(rowShape(DISCOUNT_FIELDS)))),
  /** For forms: levels, and items by book. */
  choices: op(
    { permission: 'priceDesk.prices', forKeys: false },
    { method: 'GET', path: '/price-choices', summary: 'Levels and items for forms' },
  ).output(
    z.object({
      levels: z.array(z.object({ id: z.number(), name: z.string() })),
      items: z.array(
        z.object({
          ...{ book, item: z.number(), name: z.string(), parts: z.array(z.string()) },
          /** Of a package that is paid from outside: what it brings and costs now. */
          pack: z.object({ pieces: z.number(), priceFen: z.number() }).optional(),
        }),
      ),
    }),
  ),
  /** Null points, of an agent: its level's holds again. */
  setDiscount: op(
    { permission: 'priceDesk.setDiscount', log: '设置折扣', stepUp: true, forKeys: false, stale: STALE },
    { method: 'POST', path: '/discounts', summary: 'Set a discount of a level or an agent' },
  )
    .errors(errorsOf(DISCOUNT_REFUSALS))
    .input(
      z.object({
        levelId: z.number().int().nullable(),
        agentId: z.number().int().nullable(),
        book: book.nullable(),
        basisPoints: z.number().nullable(),
        startsAt: moment,
        answered,
      }),
    )
    .output(done),
  withdrawDiscount: op(
    { permission: 'priceDesk.setDiscount', log: '撤回折扣', stepUp: true, forKeys: false, stale: STALE },
    { method: 'DELETE', path: '/discounts/{id}', summary: 'Withdraw a discount that has not begun' },
  )
    .errors(errorsOf(DISCOUNT_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(done),
  /** A new level, with its discount, or another name of one. */
  saveLevel: op(
    {
      permission: 'priceDesk.setDiscount',
      log: '保存代理商等级',
      stepUp: true,
      forKeys: false,
      stale: ['priceDesk'],
    },
    { method: 'POST', path: '/agent-levels', summary: 'Create or rename a level of agents' },
  )
    .errors(errorsOf(DISCOUNT_REFUSALS))
    .input(
      z.object({
        id: z.number().int().nullable(),
        name: lineText.max(100),
        basisPoints: z.number().nullable(),
      }),
    )
    .output(z.object({ id: z.number() })),
  /** Which levels agents had, have and will have, the latest beginning first. */
  levelChanges: op(
    { permission: 'priceDesk.levels', forKeys: false },
    { method: 'GET', path: '/agent-level-changes', summary: 'Changes of the levels of agents' },
  )
    .input(z.object(listInput(LEVEL_CHANGES)))
    .output(pageOf(z.object(rowShape(LEVEL_CHANGE_FIELDS)))),
  /** What another level from a moment on would change for an agent. */
  previewLevel: op(
    { permission: 'priceDesk.setLevel', forKeys: false },
    { method: 'GET', path: '/agent-level-previews', summary: 'What another level of an agent changes' },
  )
    .errors(errorsOf(LEVEL_REFUSALS))
    .input(z.object({ agentId: whole(1), levelId: whole(1), startsAt: z.iso.datetime().optional() }))
    .output(
      z.object({
        fromLevelName: z.string(),
        levelName: z.string(),
        /** Of each book what it pays of the list price, in 1/10,000; its own discounts stand before those of levels. */
        books: z.array(z.object({ book, before: z.number(), after: z.number() })),
        /** Of its shops: renewals due in the 90 days after it begins, and what they cost more or less. */
        renewals: z.object({ count: z.number(), differenceCents: z.number() }),
      }),
    ),
  setLevel: op(
    {
      permission: 'priceDesk.setLevel',
      log: '变更代理商等级',
      stepUp: true,
      forKeys: false,
      stale: STALE,
    },
    { method: 'POST', path: '/agent-level-changes', summary: 'Change the level of an agent' },
  )
    .errors(errorsOf(LEVEL_REFUSALS))
    .input(z.object({ agentId: whole(1), levelId: whole(1), startsAt: moment }))
    .output(done),
  withdrawLevel: op(
    { permission: 'priceDesk.setLevel', log: '撤回等级变更', stepUp: true, forKeys: false, stale: STALE },
    { method: 'DELETE', path: '/agent-level-changes/{id}', summary: 'Withdraw a level that has not begun' },
  )
    .errors(errorsOf(LEVEL_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(done),
  campaigns: op(
    { permission: 'priceDesk.campaigns', forKeys: false },
    { method: 'GET', path: '/price-campaigns', summary: 'Price campaigns' },
  )
    .input(z.object(listInput(PRICE_CAMPAIGNS)))
    .output(pageOf(z.object(rowShape(CAMPAIGN_FIELDS)))),
  addCampaign: op(
    { permission: 'priceDesk.setCampaign', log: '新增促销', stepUp: true, forKeys: false, stale: STALE },
    { method: 'POST', path: '/price-campaigns', summary: 'Add a price campaign' },
  )
    .errors(errorsOf(CAMPAIGN_REFUSALS))
    .input(
      z.object({
        answered,
        name: lineText.max(100),
        book,
        items: z.array(z.number().int()).max(50).nullable(),
        part: part.nullable(),
        levelIds: z.array(z.number().int()).min(1).max(50).nullable(),
        agentIds: z.array(z.number().int()).min(1).max(50).nullable(),
        basisPoints: z.number().nullable(),
        cents: z.number().nullable(),
        bonusBasisPoints: z.number().nullable().default(null),
        /** Of SMS, with each package of the book `recharge`. */
        bonusPieces: z.number().nullable().default(null),
        firstOf: z.enum(keysOf(FIRSTS)).nullable(),
        startsAt: moment,
        endsAt: moment,
      }),
    )
    .output(z.object({ id: z.number() })),
  endCampaign: op(
    { permission: 'priceDesk.setCampaign', log: '结束促销', stepUp: true, forKeys: false, stale: STALE },
    { method: 'DELETE', path: '/price-campaigns/{id}', summary: 'End a price campaign now' },
  )
    .errors(errorsOf(CAMPAIGN_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(done),
}

export type PricePreview = Out<typeof priceDesk.preview>
export type PriceRow = Out<typeof priceDesk.prices>['rows'][number]
