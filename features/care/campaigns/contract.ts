import { MY_MERCHANTS } from '#features/shops/merchants/fields.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { MESSAGE_STATUS_KEYS } from '#features/shops/messages/rules.ts'
import { filterShape, listInput } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { lineText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { AUDIENCE_FILTERS, CAMPAIGNS } from './fields.ts'
import { CAMPAIGN_REFUSALS, CAMPAIGN_STATUS_KEYS } from './rules.ts'

export const Audience = z.object({
  ...filterShape({ ...MY_MERCHANTS, filters: AUDIENCE_FILTERS }),
  /** Two, four or six digits. */
  regionCode: z
    .string()
    .regex(/^(\d{2}){1,3}$/)
    .optional(),
})

/** Bounded far above what rules.ts allows, so that the rules tell what is too long. */
const Params = z.record(z.string().max(40), lineText.max(500))
const revision = whole(1)
const campaignId = z.object({ id: whole(1) })

export const CampaignRow = z.object({
  id: z.number(),
  name: z.string(),
  agentId: z.number(),
  agentName: z.string(),
  templateKey: z.string(),
  templateName: z.string(),
  params: z.record(z.string(), z.string()),
  audience: Audience,
  status: z.enum(CAMPAIGN_STATUS_KEYS),
  scheduledAt: z.string().nullable(),
  revision: z.number(),
  /** Null for a draft: shops and pieces as they were confirmed. */
  expectedShops: z.number().nullable(),
  expectedSegments: z.number().nullable(),
  /** Shops with a message in the outbox, and those left out: disabled, no mobile number. */
  queued: z.number(),
  skipped: z.number(),
  /** Messages by state. */
  messages: z.partialRecord(z.enum(MESSAGE_STATUS_KEYS), z.number()),
  /** Pieces that the agent is charged now. */
  charged: z.number(),
  documentNo: z.string(),
  /** Why nothing or not all was sent; blank otherwise. */
  problem: z.string(),
  createdByName: z.string(),
  createdAt: z.string(),
  sentByName: z.string().nullable(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
})

/** Pieces of the acting agent, those that its other campaigns still need, and how many are missing. */
const credit = { balance: z.number(), reserved: z.number(), missing: z.number() }

export const Preview = z.object({
  /** That get a message. */
  shops: z.number(),
  disabled: z.number(),
  /** Whose account is no mobile number. */
  notMobile: z.number(),
  segments: z.number(),
  /** Per message; 0 without shops. */
  segmentsMin: z.number(),
  segmentsMax: z.number(),
  ...credit,
  samples: z.array(
    z.object({
      merchantId: z.number(),
      shopName: z.string(),
      phone: z.string(),
      text: z.string(),
      segments: z.number(),
    }),
  ),
})

const draftErrors = {
  NAME_REQUIRED: CAMPAIGN_REFUSALS.NAME_REQUIRED,
  NAME_TOO_LONG: CAMPAIGN_REFUSALS.NAME_TOO_LONG,
  PARAM_TOO_LONG: CAMPAIGN_REFUSALS.PARAM_TOO_LONG,
  PARAM_FORBIDDEN: CAMPAIGN_REFUSALS.PARAM_FORBIDDEN,
  NOT_DRAFT: CAMPAIGN_REFUSALS.NOT_DRAFT,
  SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT,
}

const { NOT_STOPPED, TEMPLATE_UNKNOWN, COST_CHANGED, AUDIENCE_EMPTY, SMS_INSUFFICIENT } = CAMPAIGN_REFUSALS
const { SEARCH_TOO_SHORT } = MERCHANT_REFUSALS
const continueErrors = { NOT_STOPPED, TEMPLATE_UNKNOWN, SEARCH_TOO_SHORT }

export const campaigns = {
  list: op(
    { permission: 'campaigns.list', mayLag: true },
    {
      method: 'GET',
      path: '/campaigns',
      summary: 'Messages to many shops, the latest first; all for vendor staff',
    },
  )
    .input(z.object(listInput(CAMPAIGNS)))
    .output(pageOf(CampaignRow)),
  details: op(
    { permission: 'campaigns.list' },
    { method: 'GET', path: '/campaigns/{id}', summary: 'One campaign with its figures' },
  )
    .input(campaignId)
    .output(CampaignRow),
  /** Whom a text would reach now and what it would cost. What is still to be written counts as nothing. */
  preview: op(
    { permission: 'campaigns.list', ephemeral: true },
    { method: 'POST', path: '/campaigns/previews', summary: 'Count the shops and the cost of a text' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object({ templateKey: madeText.max(50), params: Params, audience: Audience }))
    .output(Preview),
  /** Keeps a draft: a new one without `id`. Refused where somebody else changed it meanwhile (STALE). */
  save: op(
    { permission: 'campaigns.list', log: '保存群发草稿', idempotent: true, stale: ['campaigns.list'] },
    { method: 'POST', path: '/campaigns', summary: 'Keep a draft' },
  )
    .errors(errorsOf(draftErrors))
    .input(
      z.object({
        id: whole(1).optional(),
        revision: revision.optional(),
        name: lineText.max(200),
        templateKey: madeText.max(50),
        params: Params,
        audience: Audience,
        scheduledAt: z.iso.datetime({ offset: true }).nullable(),
      }),
    )
    .output(z.object({ id: z.number(), revision: z.number() })),
  discard: op(
    { permission: 'campaigns.list', log: '删除群发草稿', stale: ['campaigns'] },
    { method: 'DELETE', path: '/campaigns/{id}', summary: 'Throw a draft away' },
  )
    .errors(errorsOf({ NOT_DRAFT: CAMPAIGN_REFUSALS.NOT_DRAFT }))
    .input(campaignId)
    .output(campaignId),
  /** Sends a draft now or at its time; refused when what was confirmed is not what it would reach and cost now. */
  send: op(
    {
      permission: 'campaigns.send',
      log: '群发短信',
      idempotent: true,
      stale: ['campaigns', 'ledger', 'messageDesk'],
    },
    { method: 'POST', path: '/campaigns/{id}/sending', summary: 'Send a draft to its shops' },
  )
    .errors(errorsOf({ ...CAMPAIGN_REFUSALS, SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object({ id: whole(1), revision, shops: whole(0), segments: whole(0) }))
    .output(z.object({ id: z.number(), status: z.enum(CAMPAIGN_STATUS_KEYS) })),
  /** Of a campaign that stopped before it came to all: the shops that are left, and what they cost. */
  remainder: op(
    { permission: 'campaigns.send' },
    { method: 'GET', path: '/campaigns/{id}/remainder', summary: 'Count the shops that are left' },
  )
    .errors(errorsOf(continueErrors))
    .input(campaignId)
    .output(z.object({ shops: z.number(), segments: z.number(), ...credit })),
  /** Sends it to these; refused when what was confirmed is not what it would reach and cost now. */
  continue: op(
    {
      permission: 'campaigns.send',
      log: '继续群发短信',
      idempotent: true,
      stale: ['campaigns', 'ledger', 'messageDesk'],
    },
    {
      method: 'POST',
      path: '/campaigns/{id}/continuation',
      summary: 'Send a campaign to the shops that are left',
    },
  )
    .errors(errorsOf({ ...continueErrors, COST_CHANGED, AUDIENCE_EMPTY, SMS_INSUFFICIENT }))
    .input(z.object({ id: whole(1), shops: whole(0), segments: whole(0) }))
    .output(z.object({ id: z.number(), status: z.enum(CAMPAIGN_STATUS_KEYS) })),
  /** What has not gone out yet never does, and its credit goes back. */
  cancel: op(
    {
      permission: 'campaigns.send',
      log: '取消群发短信',
      idempotent: true,
      stale: ['campaigns', 'ledger', 'messageDesk'],
    },
    { method: 'POST', path: '/campaigns/{id}/cancellation', summary: 'Stop a campaign' },
  )
    .errors(errorsOf({ NOT_CANCELLABLE: CAMPAIGN_REFUSALS.NOT_CANCELLABLE }))
    .input(campaignId)
    .output(z.object({ id: z.number(), status: z.enum(CAMPAIGN_STATUS_KEYS) })),
}
