import { answered } from '#features/office/prices/contract-asked.ts'
import { ASKED_REFUSALS } from '#features/office/prices/rules.ts'
import { SELLER_RULES, TERMS } from '#features/shops/versions/rules.ts'
import { inputShape, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { day, pageOf, whole } from '#kit/declare/page.ts'
import { codeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import {
  ADJUSTMENT_FIELDS,
  FUNCTION_FIELDS,
  GROUP_FIELDS,
  ITEM_FIELDS,
  ITEMS,
  VERSION_FIELDS,
  VERSIONS,
} from './fields.ts'
import { CATALOGUE_REFUSALS, ITEM_KINDS, UNIT_NAMES } from './rules.ts'

const errors = errorsOf({ ...CATALOGUE_REFUSALS, ...ASKED_REFUSALS })
const id = whole(1)
const revision = z.number().int()
/** Null: a new one. */
const seen = z.object({ id, revision }).nullable()
const named = z.object({ id: z.number(), name: z.string() })
const STALE = [
  'catalogue',
  'versions',
  'merchants.options',
  'purchases',
  'aftersales',
  'shopPages',
  'priceDesk',
]
const ITEMS_STALE = ['catalogue', 'services', 'sms', 'payments', 'priceDesk']

const itemKind = z.enum(Object.keys(ITEM_KINDS) as ['service', ...(keyof typeof ITEM_KINDS)[]])
const changed = z.object({ id: z.number() })
/** Agents with the most of something. */
const holders = z.array(z.object({ id: z.number(), name: z.string(), shops: z.number(), ending: z.number() }))

const sellers = z.enum(Object.keys(SELLER_RULES) as ['all', ...(keyof typeof SELLER_RULES)[]])

/** What the vendor offers, kept by its operator: nothing here is for a program. */
export const catalogue = {
  versions: op(
    { permission: 'catalogue.versions', forKeys: false },
    {
      method: 'GET',
      path: '/catalogue/versions',
      summary: 'All versions with who may sell and who has them',
    },
  )
    .input(z.object(listInput(VERSIONS)))
    .output(pageOf(z.object({ ...outputShape(VERSION_FIELDS, 'row'), revision: z.number() }))),
  /** What the form of a version holds beside its row, and what can be chosen there. */
  version: op(
    { permission: 'catalogue.versions', forKeys: false },
    { method: 'GET', path: '/catalogue/versions/{id}', summary: 'Sellers and functions of a version' },
  )
    .input(z.object({ id }))
    .output(z.object({ sellers: z.array(named), functions: z.array(named) })),
  saveVersion: op(
    { permission: 'catalogue.editVersions', log: '保存软件版本', stepUp: true, stale: STALE },
    { method: 'POST', path: '/catalogue/versions', summary: 'Add or change a version' },
  )
    .errors(errors)
    .input(
      z.object({
        ...inputShape(VERSION_FIELDS, 'edit'),
        answered,
        seen,
        buyCode: z.number().int(),
        renewCode: z.number().int(),
        sellers,
        sellerIds: z.array(id).max(1_000),
        functionIds: z.array(id).max(1_000),
        /** Of a new one: what each term costs from now on; a term that is not named is not sold. */
        prices: z
          .array(z.object({ part: z.enum(TERMS), cents: z.number() }))
          .max(TERMS.length)
          .default([]),
      }),
    )
    .output(z.object({ id: z.number() })),
  /** What retiring it means for those who have it, before it is done. */
  retirement: op(
    { permission: 'catalogue.versions', forKeys: false },
    { method: 'GET', path: '/catalogue/versions/{id}/retirement', summary: 'Who has a version' },
  )
    .input(z.object({ id }))
    .output(
      z.object({
        shops: z.number(),
        /** Of them, those whose term ends in the next 90 days. */
        ending: z.number(),
        /** Agents with the most of its shops. */
        agents: holders,
        agentCount: z.number(),
        /** Quotes that can still be confirmed now, and no more once it is retired. */
        openQuotes: z.number(),
        /** Versions that a shop which has it can change to. */
        changesTo: z.array(named),
      }),
    ),
  retireVersion: op(
    { permission: 'catalogue.editVersions', log: '停售软件版本', stepUp: true, stale: STALE },
    { method: 'POST', path: '/catalogue/versions/{id}/retirement', summary: 'Sell a version no more' },
  )
    .errors(errors)
    .input(z.object({ id, revision, renewable: z.boolean(), renewUntil: day.nullable() }))
    .output(z.object({ id: z.number() })),
  resumeVersion: op(
    { permission: 'catalogue.editVersions', log: '恢复销售软件版本', stepUp: true, stale: STALE },
    { method: 'POST', path: '/catalogue/versions/{id}/return', summary: 'Sell a retired version again' },
  )
    .errors(errors)
    .input(z.object({ id, revision }))
    .output(z.object({ id: z.number() })),
  functions: op(
    { permission: 'catalogue.versions', forKeys: false },
    { method: 'GET', path: '/catalogue/functions', summary: 'What versions can contain' },
  ).output(
    z.object({ rows: z.array(z.object({ ...outputShape(FUNCTION_FIELDS, 'row'), revision: z.number() })) }),
  ),
  saveFunction: op(
    { permission: 'catalogue.editVersions', log: '保存版本功能', stepUp: true, stale: STALE },
    { method: 'POST', path: '/catalogue/functions', summary: 'Add or change a function of versions' },
  )
    .errors(errors)
    .input(z.object({ ...inputShape(FUNCTION_FIELDS, 'edit'), seen }))
    .output(z.object({ id: z.number() })),
  adjustments: op(
    { permission: 'catalogue.versions', forKeys: false },
    { method: 'GET', path: '/catalogue/adjustments', summary: 'Which versions shops are adjusted to' },
  ).output(
    z.object({
      rows: z.array(
        z.object({
          ...outputShape(ADJUSTMENT_FIELDS, 'row'),
          fromName: z.string(),
          toName: z.string(),
          /** The version after it is sold; to a retired one nothing is adjusted. */
          isSold: z.boolean(),
          enabled: z.boolean(),
        }),
      ),
      versions: z.array(named),
    }),
  ),
  saveAdjustment: op(
    { permission: 'catalogue.editVersions', log: '设置版本调整', stepUp: true, stale: STALE },
    { method: 'PUT', path: '/catalogue/adjustments', summary: 'Allow or stop an adjustment of versions' },
  )
    .errors(errors)
    .input(z.object(inputShape(ADJUSTMENT_FIELDS, 'edit')))
    .output(z.object({ done: z.literal(true) })),
  /** Services, packages of SMS and packages that are paid from outside, each in the order of its kind. */
  items: op(
    { permission: 'catalogue.items', forKeys: false },
    { method: 'GET', path: '/catalogue/items', summary: 'All services and packages with their prices' },
  )
    .input(z.object(listInput(ITEMS)))
    .output(
      pageOf(
        z.object({
          ...outputShape(ITEM_FIELDS, 'row'),
          groupId: z.number().nullable(),
          revision: z.number(),
        }),
      ),
    ),
  saveItem: op(
    { permission: 'catalogue.editItems', log: '保存服务或套餐', stepUp: true, stale: ITEMS_STALE },
    { method: 'POST', path: '/catalogue/items', summary: 'Add or change a service or a package' },
  )
    .errors(errors)
    .input(
      z.object({
        ...inputShape(ITEM_FIELDS, 'edit'),
        answered,
        seen,
        itemKind,
        groupId: id.nullable(),
        code: codeText.max(100),
        serviceUnit: z.enum(Object.keys(UNIT_NAMES) as ['year', 'piece']),
        pieces: z.number().nullable(),
        /** Of a new one, from now on. */
        priceCents: z.number().nullable(),
      }),
    )
    .output(changed),
  /** What retiring it means for those who have it, before it is done. */
  itemRetirement: op(
    { permission: 'catalogue.items', forKeys: false },
    { method: 'GET', path: '/catalogue/items/{itemKind}/{id}/retirement', summary: 'Who has an item' },
  )
    .input(z.object({ itemKind, id }))
    .output(
      z.object({
        /**
         * Of a service: shops that have it, of them those whose term ends in the next 90 days, and beside them those whose term
         * has ended.
         */
        held: z
          .object({
            shops: z.number(),
            ending: z.number(),
            ended: z.number(),
            agents: holders,
            agentCount: z.number(),
          })
          .nullable(),
        /** Of a package: sold in the last 90 days, to how many agents, and orders that wait for their payment. */
        sold: z.object({ orders: z.number(), agents: z.number(), waiting: z.number() }).nullable(),
        /** Campaigns that name it and have not ended. */
        campaigns: z.array(z.string()),
      }),
    ),
  retireItem: op(
    { permission: 'catalogue.editItems', log: '停售服务或套餐', stepUp: true, stale: ITEMS_STALE },
    { method: 'POST', path: '/catalogue/items/{itemKind}/{id}/retirement', summary: 'Sell an item no more' },
  )
    .errors(errors)
    .input(
      z.object({
        ...{ itemKind, id, revision },
        /** Of a yearly service: whether whoever has it may renew it, and until which day. Passed over for all others. */
        renewable: z.boolean().default(false),
        renewUntil: day.nullable().default(null),
      }),
    )
    .output(changed),
  resumeItem: op(
    { permission: 'catalogue.editItems', log: '恢复销售服务或套餐', stepUp: true, stale: ITEMS_STALE },
    { method: 'POST', path: '/catalogue/items/{itemKind}/{id}/return', summary: 'Sell a retired item again' },
  )
    .errors(errors)
    .input(z.object({ itemKind, id, revision }))
    .output(changed),
  groups: op(
    { permission: 'catalogue.items', forKeys: false },
    { method: 'GET', path: '/catalogue/service-groups', summary: 'Groups of services' },
  ).output(
    z.object({
      rows: z.array(
        z.object({ ...outputShape(GROUP_FIELDS, 'row'), revision: z.number(), services: z.number() }),
      ),
    }),
  ),
  saveGroup: op(
    { permission: 'catalogue.editItems', log: '保存服务分类', stepUp: true, stale: ITEMS_STALE },
    { method: 'POST', path: '/catalogue/service-groups', summary: 'Add or change a group of services' },
  )
    .errors(errors)
    .input(z.object({ ...inputShape(GROUP_FIELDS, 'edit'), seen }))
    .output(changed),
}

export type ItemRow = Out<typeof catalogue.items>['rows'][number]

export type VersionRow = Out<typeof catalogue.versions>['rows'][number]
