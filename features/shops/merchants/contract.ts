import {
  enteredText,
  fileOf,
  inputShape,
  listInput,
  meantShape,
  outputShape,
} from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { flag, pageOf, whole } from '#kit/declare/page.ts'
import { lineText, secretText, soughtText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import {
  MERCHANT_FIELDS,
  MERCHANT_SOURCES,
  MY_MERCHANTS,
  OVERDUE_MERCHANTS,
  VERIFICATION_CHANGE,
} from './fields.ts'
import { REFUSALS, SOURCES, type Source } from './rules.ts'

const merchantId = z.object({ id: whole(1) })
const status = z.enum(['normal', 'disabled'])

export const MerchantRow = z.object(outputShape(MERCHANT_FIELDS, 'row'))

export const MerchantDetails = MerchantRow.extend(outputShape(MERCHANT_FIELDS, 'details')).extend({
  /** Division names and address in one line. */
  fullAddress: z.string(),
  /** Values of the method's fields; secret ones are empty. */
  paymentConfig: z.record(z.string(), z.string()),
  /** Keys of secret fields that hold a value. */
  paymentSecretsSet: z.array(z.string()),
})

export const SourceRow = MerchantRow.extend({ source: z.enum(Object.keys(SOURCES) as [Source, ...Source[]]) })

export const merchants = {
  list: op(
    { permission: 'merchants.list', mayLag: true },
    { method: 'GET', path: '/merchants', summary: 'Merchants of the acting agent; all for vendor staff' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object({ ...listInput(MY_MERCHANTS), total: flag().default(true) }))
    .output(pageOf(MerchantRow)),
  overdue: op(
    { permission: 'merchants.overdue', mayLag: true },
    {
      method: 'GET',
      path: '/merchants/overdue',
      summary: 'Merchants expired since 2017-01-01, latest first',
    },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(OVERDUE_MERCHANTS)))
    .output(pageOf(MerchantRow)),
  bySource: op(
    { permission: 'merchants.source', mayLag: true },
    { method: 'GET', path: '/merchants/source', summary: 'Where merchants came from, latest first' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(MERCHANT_SOURCES)))
    .output(pageOf(SourceRow)),
  /** For the bell: the number, and the five that expired last. */
  overduePreview: op(
    { permission: 'merchants.overdue' },
    { method: 'GET', path: '/merchants/overdue/preview', summary: 'Count and first five expired merchants' },
  ).output(
    z.object({
      total: z.number(),
      totalCapped: z.boolean(),
      rows: z.array(
        z.object({
          id: z.number(),
          agentId: z.number(),
          shopName: z.string(),
          account: z.string(),
          versionId: z.number(),
          expiresAt: z.string().nullable(),
        }),
      ),
    }),
  ),
  /** For the command palette: at most 8 merchants by id, account or name. */
  find: op(
    { permission: 'merchants.list' },
    { method: 'GET', path: '/merchants/find', summary: 'Find merchants by id, account or name' },
  )
    .input(z.object({ search: soughtText.min(1).max(50) }))
    .output(
      z.object({ rows: z.array(z.object({ id: z.number(), shopName: z.string(), account: z.string() })) }),
    ),
  /** Of the acting agent, or of the agent of `merchantId`, whose own payment method is then among them. */
  options: op(
    { permission: 'session', forKeys: true },
    {
      method: 'GET',
      path: '/merchants/options',
      summary: 'Industries, managers, payment methods and the own city for forms and filters',
    },
  )
    .input(z.object({ merchantId: whole(1).optional() }))
    .output(
      z.object({
        /** Where most of the agent's latest shops are; empty where it has none. */
        cityCode: z.string(),
        /** Those that are offered no more too: shops have them. */
        industries: z.array(z.object({ id: z.number(), name: z.string(), offered: z.boolean() })),
        managers: z.array(z.object({ id: z.number(), name: z.string() })),
        /** What the agent may sell, and what its shops have. */
        versions: z.array(z.object({ id: z.number(), name: z.string() })),
        paymentMethods: z.array(
          z.object({
            id: z.number(),
            name: z.string(),
            fields: z.array(
              z.object({ key: z.string(), label: z.string(), required: z.boolean(), secret: z.boolean() }),
            ),
          }),
        ),
      }),
    ),
  details: op(
    { permission: 'merchants.details' },
    { method: 'GET', path: '/merchants/{id}', summary: 'One merchant' },
  )
    .input(merchantId)
    .output(MerchantDetails),
  edit: op(
    { permission: 'merchants.edit', log: '编辑商户', stale: ['merchants', 'agentDesk', 'renewals'] },
    { method: 'PUT', path: '/merchants/{id}', summary: 'Edit a merchant' },
  )
    .errors(errorsOf(REFUSALS))
    .input(
      z.object({
        id: whole(1),
        revision: z.number().int(),
        /** The operator alone may change version, store kind, dates and account. */
        ...inputShape(MERCHANT_FIELDS, 'edit'),
        versionId: z.number().int(),
        password: secretText.max(128),
        /** Why the status of its verification is set by hand. */
        verificationReason: meantShape(VERIFICATION_CHANGE).verificationReason.default(''),
        /** Empty values of secret fields leave them as they are. */
        paymentConfig: z.record(z.string().max(40), secretText.max(500)),
      }),
    )
    .output(z.object({ id: z.number(), revision: z.number() })),
  setSignature: op(
    { permission: 'merchants.edit', log: '修改短信签名', stale: ['merchants.details', 'agentDesk'] },
    { method: 'PATCH', path: '/merchants/{id}/signature', summary: 'Edit the SMS signature' },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id: whole(1), signature: lineText.max(500) }))
    .output(z.object({ id: z.number(), signature: z.string() })),
  setRemark: op(
    {
      permission: 'merchants.edit',
      log: '修改商户备注',
      stale: ['merchants.details', 'agentDesk', 'renewals'],
    },
    { method: 'PATCH', path: '/merchants/{id}/remark', summary: 'Edit the remark' },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id: whole(1), remark: enteredText }))
    .output(z.object({ id: z.number(), remark: z.string() })),
  enable: op(
    { permission: 'merchants.status', log: '启用商户', stale: ['merchants', 'renewals'] },
    { method: 'POST', path: '/merchants/{id}/enable', summary: 'Enable a disabled merchant' },
  )
    .errors(errorsOf(REFUSALS))
    .input(merchantId)
    .output(z.object({ id: z.number(), status })),
  disable: op(
    { permission: 'merchants.status', log: '禁用商户', stale: ['merchants', 'renewals'] },
    { method: 'POST', path: '/merchants/{id}/disable', summary: 'Disable a merchant' },
  )
    .errors(errorsOf(REFUSALS))
    .input(merchantId)
    .output(z.object({ id: z.number(), status })),
}

export const merchantDownloads = {
  list: fileOf(MY_MERCHANTS),
  overdue: fileOf(OVERDUE_MERCHANTS),
  source: fileOf(MERCHANT_SOURCES),
}

export type Merchant = Out<typeof merchants.details>
