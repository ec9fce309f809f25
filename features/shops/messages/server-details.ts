// Asks the provider what became of messages that nobody told about: at a bounded rate, less and less often, up to three days.
import { ProviderUnknown, type SmsDetail, type SmsSender } from '#kit/ports/providers.ts'
import { addDays, formatDay } from '#kit/time.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { SENDING_LIMITS } from './rules.ts'
import { type Outcome, tellOutcomes } from './server-outcomes.ts'

const ASKED_AT_ONCE = 20
const CALLS_AT_ONCE = 4

type Open = {
  id: number
  phone: string
  providerId: string | null
  batchReference: string | null
  claimedAt: Date
}

/**
 * The next time is set before the call, so that no other asks the same meanwhile. Half the age, at least 30 s, lies between two; the last is
 * when the hours of asking are over.
 */
const TAKE = `
  update outbox_messages set ask_at = case when claimed_at > now() - make_interval(hours => $2)
    then least(
      now() + greatest(make_interval(secs => $3), (now() - claimed_at) / 2), claimed_at + make_interval(hours => $2)) end
  where id in (select id from outbox_messages where ask_at <= now() order by ask_at limit $1 for update skip locked)
  returning id::float8 as id, phone, provider_id as "providerId", batch_reference as "batchReference", claimed_at as "claimedAt"`

/** Beside the sending, so that a provider that answers no questions holds up no code. */
export async function askAboutSent(services: Services): Promise<boolean> {
  const { sms } = services.providers
  if (sms) await askProvider(services, sms)
  return false
}

async function askProvider(services: Services, sms: SmsSender): Promise<void> {
  const open = await actAsSystem(services, 'messages asked about', async ctx => {
    const { rows } = await ctx.client.query<Open>({
      name: 'take_open',
      text: TAKE,
      values: [ASKED_AT_ONCE, SENDING_LIMITS.askHours, SENDING_LIMITS.askUnknownSeconds],
    })
    return rows
  })
  const waiting = [...open]
  const outcomes: Outcome[] = []
  const caller = async () => {
    for (let message = waiting.shift(); message; message = waiting.shift())
      try {
        outcomes.push(...(await ask(services, sms, message)))
      } catch (error) {
        // It is asked again in any case; without an answer there is nothing to tell anybody.
        if (!(error instanceof ProviderUnknown)) services.onProblem(error)
      }
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, caller))
  if (outcomes.length > 0) await tellOutcomes(services, outcomes)
}

async function ask({ clock }: Services, sms: SmsSender, message: Open): Promise<Outcome[]> {
  const day = formatDay(message.claimedAt)
  const details = await sms.details(message.phone, day, message.providerId)
  // Providers file a message under the day on which they took it, or on which it arrived.
  const isLate = formatDay(new Date(message.claimedAt.getTime() + 3_600_000)) !== day
  if (isLate && !details.some(detail => isOf(detail, message)))
    details.push(...(await sms.details(message.phone, addDays(day, 1), message.providerId)))
  const detail = details.find(detail => isOf(detail, message))
  if (!detail) return []
  const { providerId } = detail
  const told = { id: message.id, at: clock.now().toISOString(), ...(providerId ? { providerId } : {}) }
  if (detail.state === 'waiting') return [{ ...told, status: 'submitted' }]
  return [{ ...told, status: detail.state, code: detail.code, isReport: true }]
}

function isOf(detail: SmsDetail, { batchReference, providerId }: Open): boolean {
  return detail.batchReference !== null
    ? detail.batchReference === batchReference
    : providerId !== null && detail.providerId === providerId
}
