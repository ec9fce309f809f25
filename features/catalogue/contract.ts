import { z } from 'zod'
import { SELLER_RULES } from '#features/versions/rules.ts'
import { inputShape, listInput, outputShape } from '#kit/list-input.ts'
import { errorsOf, op } from '#kit/op.ts'
import { day, pageOf, whole } from '#kit/page.ts'
import { ADJUSTMENT_FIELDS, FUNCTION_FIELDS, VERSION_FIELDS, VERSIONS } from './fields.ts'
import { CATALOGUE_REFUSALS } from './rules.ts'

const errors = errorsOf(CATALOGUE_REFUSALS)
const id = whole(1)
const revision = z.number().int()
/** Null: a new one. */
const seen = z.object({ id, revision }).nullable()
const named = z.object({ id: z.number(), name: z.string() })
const STALE = ['catalogue', 'versions', 'merchants.options', 'purchases', 'aftersales', 'shopPages']

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
        seen,
        buyCode: z.number().int(),
        renewCode: z.number().int(),
        sellers,
        sellerIds: z.array(id).max(1_000),
        functionIds: z.array(id).max(1_000),
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
        agents: z.array(
          z.object({ id: z.number(), name: z.string(), shops: z.number(), ending: z.number() }),
        ),
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
}
