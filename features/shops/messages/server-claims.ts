// Takes messages that are due out of the outbox, in batches that one call sends; what one sender takes no other does.
import { randomUUID } from 'node:crypto'
import type { SmsParams, SmsSender } from '#kit/ports/providers.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { CODE_MESSAGES, type MessageKind, PRIORITY_KEYS, SENDING_LIMITS } from './rules.ts'
import { HELD_KINDS } from './server-held.ts'
import { type Outcome, recordOutcomes } from './server-outcomes.ts'
import { ownSignatures } from './server-signed.ts'
import { type Template, templatesByKey } from './server-templates.ts'

/** What one call sends: the same text to all, or (mixed) a template with the variables of each. */
export type Batch = {
  reference: string
  template: Template
  /** The shop's own; empty: the vendor's. */
  signature: string
  isMixed: boolean
  messages: { id: number; phone: string; params: SmsParams }[]
}
type Due = {
  id: number
  merchantId: number | null
  /** The shop's own, where the service takes it; empty: the vendor's. */
  signature: string
  kind: MessageKind
  phone: string
  template: string | null
  params: Record<string, string>
  /** Template and variables in one: the same for messages with the same text. */
  text: string
}

/** Calls of one claim: a sender that is killed leaves no more than these unknown. */
const BATCHES_MAX = 16
/** Looked at first; more only where many of them go into one call. */
const LOOKED_AT = 64
const LOOKED_AT_MAX = 4_000
const FEW_CALLS = 4
/** What somebody waits for: providers take their time with calls whose messages have variables of their own. */
const WAITED_FOR: readonly MessageKind[] = [...CODE_MESSAGES, 'password-reset']

const DUE = `
  select id::float8 as id, merchant_id::float8 as "merchantId", '' as signature, kind, phone, template, params, coalesce(template, '') || params::text as text from outbox_messages
  where status = 'queued' and priority = $1 and not_before <= now() and (expires_at is null or expires_at > now())
    and (kind <> all ($3::text[]) or not exists (
      select from agents a where a.id = outbox_messages.agent_id and a.status = 'suspended'))
  order by not_before, outbox_messages.id limit $2 for update skip locked`

const CLAIM = `
  update outbox_messages m set status = 'sending', claimed_at = now(), provider = $3, batch_reference = n.reference,
    signature = n.signature
  from unnest($1::bigint[], $2::text[], $4::text[]) as n (id, reference, signature) where m.id = n.id and m.status = 'queued'`

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
    const more = few.length < LOOKED_AT ? 0 : worthLookingAt(few, sender)
    const due = await signed(ctx, more > LOOKED_AT ? await lockDue(ctx, more) : few, sender)
    const { sendable, refused } = await sortOut(ctx, due, templates)
    const batches = intoBatches(sendable, templates, sender)
    const claimed = batches.flatMap(({ reference, signature, messages }) =>
      messages.map(({ id }) => ({ id, reference, signature })),
    )
    if (claimed.length > 0)
      await ctx.client.query({
        name: 'claim_messages',
        text: CLAIM,
        values: [
          claimed.map(({ id }) => id),
          claimed.map(({ reference }) => reference),
          sender.name,
          claimed.map(({ signature }) => signature),
        ],
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
      values: [priority, limit - due.length, HELD_KINDS],
    })
    due.push(...rows)
  }
  return due
}

/** How many of such as these a claim can take. */
function worthLookingAt(few: readonly Due[], sender: SmsSender): number {
  if (new Set(few.map(({ text }) => text)).size <= FEW_CALLS) return LOOKED_AT_MAX
  const callOf = makeCallOf(few, sender)
  const calls = new Map(few.map(message => callOf(message)).map(call => [call.key, call]))
  return calls.size <= FEW_CALLS ? BATCHES_MAX * Math.min(...[...calls.values()].map(({ max }) => max)) : 0
}

/** Which messages may share a call, and how many: a text that few have goes with others of its template, where that can be. */
function makeCallOf(due: readonly Due[], { batchMax, ownParamsMax }: SmsSender) {
  const counts = new Map<string, number>()
  for (const { text } of due) counts.set(text, (counts.get(text) ?? 0) + 1)
  return ({ kind, template, text, signature }: Due): { key: string; max: number } => {
    const isAlone = WAITED_FOR.includes(kind) || (counts.get(text) as number) >= ownParamsMax
    return isAlone
      ? { key: `${signature} ${text}`, max: batchMax }
      : { key: `${signature} ${String(template)}`, max: ownParamsMax }
  }
}

async function signed(ctx: Ctx, due: readonly Due[], sender: SmsSender): Promise<Due[]> {
  const signatureOf = await ownSignatures(ctx, due, sender.name)
  return due.map(message => ({ ...message, signature: signatureOf(message) }))
}

async function sortOut(ctx: Ctx, due: readonly Due[], templates: ReadonlyMap<string, Template>) {
  const tried = await triedToday(ctx, due)
  const at = ctx.now.toISOString()
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
    values: [phones, startOfDay(formatDay(ctx.now)), CODE_MESSAGES],
  })
  return new Map(rows.map(({ phone, tried }) => [phone, tried]))
}

/** At most BATCHES_MAX of what came first; the rest stays in the outbox. No phone stands twice in one. */
function intoBatches(
  due: readonly Due[],
  templates: ReadonlyMap<string, Template>,
  sender: SmsSender,
): Batch[] {
  const callOf = makeCallOf(due, sender)
  const open = new Map<
    string,
    { template: Template; signature: string; texts: Set<string>; byPhone: Map<string, Due> }[]
  >()
  const calls = []
  for (const message of due) {
    const { key, max } = callOf(message)
    const alike = open.get(key) ?? []
    const place = alike.find(({ byPhone }) => byPhone.size < max && !byPhone.has(message.phone))
    if (place) {
      place.byPhone.set(message.phone, message)
      place.texts.add(message.text)
    } else if (calls.length < BATCHES_MAX) {
      const template = templates.get(message.template as string) as Template
      const call = {
        template,
        signature: message.signature,
        texts: new Set([message.text]),
        byPhone: new Map([[message.phone, message]]),
      }
      calls.push(call)
      open.set(key, [...alike, call])
    }
  }
  return calls.map(({ template, signature, texts, byPhone }) => ({
    reference: randomUUID().replaceAll('-', ''),
    template,
    signature,
    isMixed: texts.size > 1,
    messages: [...byPhone.values()].map(({ id, phone, params }) => ({
      id,
      phone,
      params: template.variables.map(({ name }) => ({ name, value: params[name] ?? '' })),
    })),
  }))
}
