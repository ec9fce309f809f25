// Takes messages that are due out of the outbox, in batches that one call sends; what one sender takes no other does.
import { randomUUID } from 'node:crypto'
import type { SmsSender } from '#kit/providers.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { CODE_MESSAGES, type MessageKind, PRIORITY_KEYS, SENDING_LIMITS } from './rules.ts'
import { type Outcome, recordOutcomes } from './server-outcomes.ts'
import { type Template, templatesByKey } from './server-templates.ts'

export type Batch = {
  reference: string
  template: Template
  params: { name: string; value: string }[]
  messages: { id: number; phone: string }[]
}
type Due = {
  id: number
  kind: MessageKind
  phone: string
  template: string | null
  params: Record<string, string>
}

/** Calls of one claim: a sender that is killed leaves no more than these unknown. */
const BATCHES_MAX = 16
/** Looked at first; more only where many of them go into one call. */
const LOOKED_AT = 64
const LOOKED_AT_MAX = 4_000
const FEW_BATCHES = 4

const DUE = `
  select id::float8 as id, kind, phone, template, params from outbox_messages
  where status = 'queued' and priority = $1 and not_before <= now() and (expires_at is null or expires_at > now())
  order by not_before, outbox_messages.id limit $2 for update skip locked`

const CLAIM = `
  update outbox_messages m set status = 'sending', claimed_at = now(), provider = $3, batch_reference = n.reference
  from unnest($1::bigint[], $2::text[]) as n (id, reference) where m.id = n.id`

/** Notices and campaigns that were tried today, by number; a message is queued for so long before it is tried. */
const TRIED = `
  select phone, count(*)::int as tried from outbox_messages
  where phone = any ($1::text[]) and created_at >= now() - interval '30 days' and claimed_at >= $2 and kind <> all ($3::text[])
  group by phone`

/** Claims what is due, codes first; messages that may not be sent fail at once. Answers the batches, none where nothing is due. */
export function claimDue(services: Services, sender: SmsSender): Promise<Batch[]> {
  return actAsSystem(services, 'messages claim', async ctx => {
    const templates = await templatesByKey(ctx)
    const few = await lockDue(ctx, LOOKED_AT)
    const isLong = few.length === LOOKED_AT && new Set(few.map(groupOf)).size <= FEW_BATCHES
    const due = isLong ? await lockDue(ctx, LOOKED_AT_MAX) : few
    const { sendable, refused } = await sortOut(ctx, due, templates)
    const batches = intoBatches(sendable, templates, sender.batchMax)
    const claimed = batches.flatMap(({ reference, messages }) =>
      messages.map(({ id }) => ({ id, reference })),
    )
    if (claimed.length > 0)
      await ctx.client.query({
        name: 'claim_messages',
        text: CLAIM,
        values: [claimed.map(({ id }) => id), claimed.map(({ reference }) => reference), sender.name],
      })
    await recordOutcomes(ctx, refused)
    return batches
  })
}

async function lockDue(ctx: Ctx, limit: number): Promise<Due[]> {
  const due: Due[] = []
  for (const priority of PRIORITY_KEYS) {
    if (due.length >= limit) break
    const { rows } = await ctx.client.query<Due>({
      name: 'due_messages',
      text: DUE,
      values: [priority, limit - due.length],
    })
    due.push(...rows)
  }
  return due
}

function groupOf({ template, params }: Due): string {
  return `${template} ${JSON.stringify(params)}`
}

async function sortOut(ctx: Ctx, due: readonly Due[], templates: ReadonlyMap<string, Template>) {
  const tried = await triedToday(ctx, due)
  const at = new Date().toISOString()
  const sendable: Due[] = []
  const refused: Outcome[] = []
  for (const message of due) {
    const { id, kind, phone, template } = message
    const times = tried.get(phone) ?? 0
    if (template === null || !templates.has(template))
      refused.push({ id, status: 'failed', at, code: 'NO_TEMPLATE' })
    else if (CODE_MESSAGES.includes(kind)) sendable.push(message)
    else if (times >= SENDING_LIMITS.perPhoneAndDay)
      refused.push({ id, status: 'failed', at, code: 'RATE_LIMITED' })
    else {
      tried.set(phone, times + 1)
      sendable.push(message)
    }
  }
  return { sendable, refused }
}

async function triedToday(ctx: Ctx, due: readonly Due[]): Promise<Map<string, number>> {
  const phones = [
    ...new Set(due.filter(({ kind }) => !CODE_MESSAGES.includes(kind)).map(({ phone }) => phone)),
  ]
  if (phones.length === 0) return new Map()
  const { rows } = await ctx.client.query<{ phone: string; tried: number }>({
    name: 'tried_today',
    text: TRIED,
    values: [phones, startOfDay(formatDay(new Date())), CODE_MESSAGES],
  })
  return new Map(rows.map(({ phone, tried }) => [phone, tried]))
}

/** At most BATCHES_MAX of what came first; the rest stays in the outbox. No phone stands twice in one. */
function intoBatches(
  due: readonly Due[],
  templates: ReadonlyMap<string, Template>,
  batchMax: number,
): Batch[] {
  const batches: Batch[] = []
  const open = new Map<string, { batch: Batch; phones: Set<string> }[]>()
  for (const message of due) {
    const group = groupOf(message)
    const ofGroup = open.get(group) ?? []
    const place = ofGroup.find(
      ({ batch, phones }) => batch.messages.length < batchMax && !phones.has(message.phone),
    )
    if (place) {
      place.batch.messages.push({ id: message.id, phone: message.phone })
      place.phones.add(message.phone)
    } else if (batches.length < BATCHES_MAX) {
      const template = templates.get(message.template as string) as Template
      const batch: Batch = {
        reference: randomUUID().replaceAll('-', ''),
        template,
        params: template.variables.map(({ name }) => ({ name, value: message.params[name] ?? '' })),
        messages: [{ id: message.id, phone: message.phone }],
      }
      batches.push(batch)
      open.set(group, [...ofGroup, { batch, phones: new Set([message.phone]) }])
    }
  }
  return batches
}
