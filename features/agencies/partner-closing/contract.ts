import { CAMPAIGN_STATUS_KEYS } from '#features/care/campaigns/rules.ts'
import { listInput, rowShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { CLOSING_FIELDS, CLOSINGS } from './fields.ts'
import { BALANCE_CHOICES, CLOSING_REFUSALS } from './rules.ts'

const manage = 'partnerClosing.manage'
const stale = ['partnerClosing', 'partnerDesk', 'agentDesk', 'agents', 'partners'] as const
const choice = z.enum(Object.keys(BALANCE_CHOICES) as [keyof typeof BALANCE_CHOICES])
const text = linesText.max(500)
const ById = z.object({ id: whole(1) })

export const ClosingRow = z.object({ id: z.number(), ...rowShape(CLOSING_FIELDS) })

/** What the partner has as things stand. */
const Figures = z.object({
  shops: z.number(),
  heads: z.number(),
  branches: z.number(),
  /** Terms that run on at the taker, ended ones, and those without an end. */
  running: z.number(),
  expired: z.number(),
  permanent: z.number(),
  /** Services that shops hold, and pieces of SMS on the shops' own accounts; both go along. */
  services: z.number(),
  shopSms: z.number(),
  /** Quotes that lapse, and online renewals that nobody has paid yet. */
  quotes: z.number(),
  unpaidRenewals: z.number(),
  tokenCents: z.number(),
  sms: z.number(),
  people: z.number(),
  keys: z.number(),
  /** Its own accounts at payment channels that are on. */
  ownAccounts: z.number(),
})

const Party = z.object({ id: z.number(), companyName: z.string() })

export const partnerClosing = {
  rehearse: op(
    { permission: manage, forKeys: false },
    {
      method: 'GET',
      path: '/partner-closings/rehearsal',
      summary: 'What closing a partner would move, end and leave, and what stands in the way',
    },
  )
    .input(z.object({ agentId: whole(1), takerId: whole(1).optional() }))
    .output(
      z.object({
        partner: Party,
        taker: Party.nullable(),
        figures: Figures,
        /** Campaigns that end with it, and the messages of each that wait in the outbox and whose credit comes back. */
        campaigns: z.array(
          z.object({
            id: z.number(),
            name: z.string(),
            status: z.enum(CAMPAIGN_STATUS_KEYS),
            waiting: z.number(),
          }),
        ),
        /** Why it cannot begin; none: it can. */
        blocks: z.array(z.object({ key: z.string(), message: z.string() })),
      }),
    ),
  start: op(
    { permission: manage, log: '停止合作', stepUp: true, stale },
    { method: 'POST', path: '/partner-closings', summary: 'Begin to close a partner' },
  )
    .errors(errorsOf(CLOSING_REFUSALS))
    .input(
      z.object({
        agentId: whole(1),
        takerId: whole(1).nullable(),
        balances: choice.nullable(),
        reason: text,
      }),
    )
    .output(z.object({ id: z.number() })),
  list: op(
    { permission: manage, forKeys: false },
    {
      method: 'GET',
      path: '/partner-closings',
      summary: 'Partners that are or were closed, the latest first',
    },
  )
    .input(z.object(listInput(CLOSINGS)))
    .output(pageOf(ClosingRow)),
  details: op(
    { permission: manage, forKeys: false },
    {
      method: 'GET',
      path: '/partner-closings/{id}',
      summary: 'How far a closing is, and the shops that it could not move',
    },
  )
    .input(ById)
    .output(
      ClosingRow.extend({
        problem: z.string(),
        tokenCents: z.number().nullable(),
        sms: z.number().nullable(),
        documentNo: z.string().nullable(),
        failed: z.number(),
        /** Campaigns whose credit is on its way back; until it is there no shop moves. */
        campaigns: z.number(),
        failures: z.array(
          z.object({
            merchantId: z.number(),
            shopName: z.string(),
            reason: z.string(),
            createdAt: z.string(),
          }),
        ),
      }),
    ),
  pause: op(
    { permission: manage, log: '暂停停止合作', stepUp: true, stale },
    { method: 'POST', path: '/partner-closings/{id}/pause', summary: 'Move no further shops for now' },
  )
    .errors(errorsOf(CLOSING_REFUSALS))
    .input(ById)
    .output(z.object({ id: z.number() })),
  resume: op(
    { permission: manage, log: '继续停止合作', stepUp: true, stale },
    { method: 'POST', path: '/partner-closings/{id}/resumption', summary: 'Go on moving shops' },
  )
    .errors(errorsOf(CLOSING_REFUSALS))
    .input(ById)
    .output(z.object({ id: z.number() })),
  retry: op(
    { permission: manage, log: '重试停止合作', stepUp: true, stale },
    { method: 'POST', path: '/partner-closings/{id}/retry', summary: 'Try again what could not be moved' },
  )
    .errors(errorsOf(CLOSING_REFUSALS))
    .input(ById)
    .output(z.object({ id: z.number() })),
}
