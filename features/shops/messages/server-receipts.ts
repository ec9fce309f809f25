// Receipts of the provider: it signs nothing, so a secret in the address guards them, and only messages of ours change.
import { createHash, timingSafeEqual } from 'node:crypto'
import { CallbackRejected, type SmsReceipt } from '#kit/ports/providers.ts'
import type { CallbackHandler } from '#server/callbacks.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { type Outcome, recordOutcomes } from './server-outcomes.ts'

const AT_ONCE = 500
const NOT_FOUND = { status: 404, type: 'text/plain', body: '' }

/** A receipt names its message by our reference of the call, or by the provider's number, and the phone. */
const FIND = `
  select distinct on (m.id) m.id::float8 as id, n.place::int as place
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as n (phone, reference, provider_id, place)
    join outbox_messages m on m.phone = n.phone and (m.batch_reference = n.reference or m.provider_id = n.provider_id)
  order by m.id, n.place`

/** The answer to a call may still be on its way here: then only the next delivery of the receipt finds its message. */
const IN_HAND = `
  select exists (select from outbox_messages where phone = any ($1::text[]) and status = 'sending' and provider_id is null) as "inHand"`

export const receiptCallback: CallbackHandler = {
  path: '/sms/:provider/:secret',
  // Providers send them by the hundred.
  bodyMaxBytes: 1024 * 1024,
  async handle(services, { params, body }) {
    const { sms, receiptSecret } = services.providers
    const { provider = '', secret = '' } = params
    if (!sms || receiptSecret === '' || provider !== sms.name || !isSame(secret, receiptSecret))
      return NOT_FOUND
    let receipts: SmsReceipt[]
    try {
      receipts = sms.readReceipts(body)
    } catch (error) {
      if (!(error instanceof CallbackRejected)) throw error
      return { status: 400, type: 'text/plain', body: '' }
    }
    let early = false
    for (let from = 0; from < receipts.length; from += AT_ONCE)
      early = (await keepReceipts(services, receipts.slice(from, from + AT_ONCE))) || early
    return early ? { status: 503, type: 'text/plain', body: '' } : sms.receiptsKept
  },
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Answers whether one of them came before its message could be known by it. */
function keepReceipts(services: Services, receipts: readonly SmsReceipt[]): Promise<boolean> {
  return actAsSystem(services, 'messages receipts', async ctx => {
    const { rows } = await ctx.client.query<{ id: number; place: number }>({
      name: 'find_receipts',
      text: FIND,
      values: [
        receipts.map(({ phone }) => phone),
        receipts.map(({ batchReference }) => batchReference),
        receipts.map(({ providerId }) => providerId),
      ],
    })
    const places = new Set(rows.map(({ place }) => place))
    const early = await areInHand(
      ctx,
      receipts.filter(({ batchReference }, at) => batchReference === null && !places.has(at + 1)),
    )
    await recordOutcomes(
      ctx,
      rows.map(({ id, place }) => outcomeOf(id, receipts[place - 1] as SmsReceipt)),
    )
    return early
  })
}

async function areInHand(ctx: Ctx, receipts: readonly SmsReceipt[]): Promise<boolean> {
  if (receipts.length === 0) return false
  const { rows } = await ctx.client.query<{ inHand: boolean }>({
    name: 'receipts_in_hand',
    text: IN_HAND,
    values: [receipts.map(({ phone }) => phone)],
  })
  return rows[0]?.inHand ?? false
}

function outcomeOf(id: number, receipt: SmsReceipt): Outcome {
  const { delivered, providerId, segments, code, message, reportedAt } = receipt
  const told = { id, at: reportedAt, providerId, segments, isReport: true }
  return delivered ? { ...told, status: 'delivered' } : { ...told, status: 'failed', code, message }
}
