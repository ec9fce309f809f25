import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import { CHANGE_REFUSALS, type ChangeTopic, PAGE_MOST, TOPIC_KEYS } from './rules.ts'

const instant = z.string().describe('ISO 8601, UTC')
const nothing = z.object({})

const template = z.object({
  templateId: z.number(),
  kind: z.string().describe('label or receipt'),
  version: z.number(),
  all: z.boolean().describe('For all shops'),
  industryIds: z
    .array(z.number())
    .optional()
    .describe('Else for the shops of these industries, and for chosen ones'),
})

/** What each topic says beside whose it is, with an example; what is told fits (server-told.test.ts). */
export const TOPIC_DATA = {
  'shop.created': { shape: z.object({ revision: z.number() }), example: { revision: 1 } },
  'shop.changed': {
    shape: z.object({
      fields: z
        .array(z.string())
        .describe('Of the shop, as GET /v1/shops/{id} names them; password: it was changed'),
    }),
    example: { fields: ['revision', 'shopName', 'memberTitle'] },
  },
  'shop.term.changed': {
    shape: z.object({
      versionId: z.number(),
      shopsBought: z.number(),
      expiresAt: instant.nullable().describe('null: permanent'),
    }),
    example: { versionId: 12, shopsBought: 1, expiresAt: '2027-11-28T15:59:59.000Z' },
  },
  'shop.disabled': { shape: nothing, example: {} },
  'shop.enabled': { shape: nothing, example: {} },
  'shop.service.changed': {
    shape: z.object({
      serviceId: z.number(),
      code: z.string(),
      quantity: z.number().describe('0: gone'),
      expiresAt: instant.nullable(),
    }),
    example: { serviceId: 21, code: 'delivery', quantity: 1, expiresAt: '2027-11-28T15:59:59.000Z' },
  },
  'shop.sms.changed': {
    shape: z.object({ balance: z.number().describe('In pieces, after it') }),
    example: { balance: 1_200 },
  },
  'shop.sms.low': {
    shape: z.object({ balance: z.number(), threshold: z.number() }),
    example: { balance: 99, threshold: 100 },
  },
  'shop.payment.changed': {
    shape: z.object({ methodId: z.number().nullable(), enabled: z.boolean() }),
    example: { methodId: 3, enabled: true },
  },
  'shop.moved': {
    shape: z.object({
      direction: z.enum(['in', 'out']).describe('To the agency of agentId, or away from it'),
    }),
    example: { direction: 'in' },
  },
  'shop.removed': { shape: nothing, example: {} },
  'agent.changed': {
    shape: z.object({
      what: z.enum(['profile', 'homePage']),
      number: z.number().optional().describe('Of the home page, which version of it'),
    }),
    example: { what: 'homePage', number: 7 },
  },
  'version.changed': { shape: z.object({ versionId: z.number() }), example: { versionId: 12 } },
  'approval.decided': {
    shape: z.object({
      requestId: z.number(),
      kind: z.string().describe('signature, shopName or memberTitle'),
      content: z.string(),
      state: z.string().describe('As GET /v1/shops/{id}/requests has it'),
      reason: z.string(),
      advice: z.string(),
    }),
    example: {
      ...{ requestId: 501, kind: 'memberTitle', content: '贵宾', state: 'rejected' },
      ...{ reason: '与品牌不符', advice: '请使用会员或顾客' },
    },
  },
  'verification.decided': {
    shape: z.object({
      state: z.string().describe('verified or failed'),
      reason: z.string(),
      advice: z.string(),
    }),
    example: { state: 'verified', reason: '', advice: '' },
  },
  'feedback.replied': {
    shape: z.object({
      feedbackId: z.number(),
      messageId: z.number(),
      state: z.string().describe('awaiting, replied or closed'),
    }),
    example: { feedbackId: 77, messageId: 912, state: 'replied' },
  },
  'print.template.published': {
    shape: template,
    example: { templateId: 4, kind: 'label', version: 2, all: false, industryIds: [2, 5] },
  },
  'print.template.withdrawn': {
    shape: template,
    example: { templateId: 4, kind: 'label', version: 2, all: true },
  },
} as const satisfies Record<ChangeTopic, { shape: z.ZodObject; example: object }>

export const posChanges = {
  changes: op(
    { permission: 'pos.read', forKeys: 'only', unlogged: true },
    {
      method: 'GET',
      path: '/v1/changes',
      summary:
        'What has changed since a number, in order; without one the last number alone, to be read before the first copy of all shops',
    },
  )
    .errors(errorsOf(CHANGE_REFUSALS))
    .input(z.strictObject({ after: whole(0).optional(), size: whole(1, PAGE_MOST).default(PAGE_MOST) }))
    .output(
      z.object({
        changes: z.array(
          z.object({
            seq: z.number(),
            at: instant,
            topic: z.enum(TOPIC_KEYS),
            /** Whose shop it is, or, of a shop that left, was. */
            agentId: z.number(),
            /** Null: of the agency. */
            shopId: z.number().nullable(),
            data: z
              .record(z.string(), z.unknown())
              .describe('What the topic says: see `webhooks` of this description'),
          }),
        ),
        /** What the next page begins after. */
        last: z.number(),
        more: z.boolean(),
      }),
    ),
}
