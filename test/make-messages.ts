// Messages for tests of sending: queued as the program would for an agent's shops, and looked at as they stand.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { askAboutSent } from '#features/shops/messages/server-details.ts'
import { type NewMessage, queueMessages } from '#features/shops/messages/server-outbox.ts'
import { sendQueued } from '#features/shops/messages/server-sending.ts'
import { actAsSystem } from '#server/system.ts'
import type { Office } from './app.ts'
import { comesTrue } from './patience.ts'

let made = 0

/** A number that carriers deliver to, or one with the outcome that the simulator gives its last four digits. */
export function phoneFor(suffix?: '0000' | '0001' | '0002' | '0003'): string {
  const place = String(1_000 + ++made)
  return suffix ? `138${place}${suffix}` : `138${place}1234`
}

export type QueueOptions = Partial<NewMessage> & { phones: readonly string[] }

/** Queues one campaign message to each number, paid by the agent under one document. Answers ids and document. */
export async function queueCampaign(
  office: Office,
  agentId: number,
  { phones, ...more }: QueueOptions,
): Promise<{ ids: number[]; documentNo: string }> {
  const documentNo = more.documentNo ?? `SMS${++made}`
  const queued = await actAsSystem(office.app.services, 'test', ctx =>
    queueMessages(
      ctx,
      phones.map(phone => ({
        agentId,
        merchantId: null,
        kind: 'campaign' as const,
        phone,
        template: 'maintenance',
        params: { shop: '老张面馆', time: '今晚23点' },
        payer: 'agent' as const,
        payerId: agentId,
        ...more,
        documentNo,
      })),
    ),
  )
  return { ids: queued.map(({ id }) => id), documentNo }
}

/** Sends as long as something is due; at most so often. As a sender that has met no failure before. */
export async function sendAll(office: Office): Promise<void> {
  const services = { ...office.app.services }
  for (let round = 0; round < 100; round++) {
    await askAboutSent(services)
    if (!(await sendQueued(services))) return
  }
  assert.fail('sending has no end')
}

export type MessageRow = Record<string, unknown> & { status: string; charged: number; text: string }

export async function messageRows(office: Office, ids: readonly number[]): Promise<MessageRow[]> {
  const { rows } = await office.owner.query<MessageRow>(
    'select * from outbox_messages where id = any ($1::bigint[]) order by id',
    [ids],
  )
  return rows
}

export async function statuses(office: Office, ids: readonly number[]): Promise<string[]> {
  return (await messageRows(office, ids)).map(({ status }) => status)
}

/** Waits until the messages stand like this; what comes by receipt takes its time. */
export async function becomes(
  office: Office,
  ids: readonly number[],
  expected: readonly string[],
): Promise<void> {
  await comesTrue(async () => isDeepStrictEqual(await statuses(office, ids), expected))
  assert.deepEqual(await statuses(office, ids), expected)
}

/** SMS credit of a shop, out of its agent's. */
export async function giveSms(
  office: Pick<Office, 'owner'>,
  { agentId, merchantId, pieces }: { agentId: number; merchantId: number; pieces: number },
): Promise<void> {
  const movement = {
    ...{ kind: 'sms-gift', asset: 'sms', amount: pieces, document: `GIFT${++made}`, payMethod: 'gift' },
    ...{ from: { kind: 'agent', id: agentId }, to: { kind: 'merchant', id: merchantId }, merchantId },
    ...{ agentId, actorId: 1, actorName: '测试', description: '赠送' },
  }
  await office.owner.query('select ledger_post($1::jsonb)', [JSON.stringify([movement])])
}

export async function smsOf(office: Office, owner: 'agent' | 'merchant', id: number): Promise<number> {
  const { rows } = await office.owner.query<{ balance: number }>(
    `select balance::int as balance from ledger_accounts where owner_kind = $1 and owner_id = $2 and asset = 'sms'`,
    [owner, id],
  )
  return rows[0]?.balance ?? 0
}

/** What a document took from its payers and gave back, by kind. */
export async function transfersOf(office: Office, documentNo: string): Promise<[string, number][]> {
  const { rows } = await office.owner.query<{ kind: string; amount: number }>(
    'select kind, amount::int as amount from ledger_transfers where document = $1 order by id',
    [documentNo],
  )
  return rows.map(({ kind, amount }) => [kind, amount])
}

/** Moves what the sender remembers of these messages into the past. */
export async function ageMessages(office: Office, ids: readonly number[], seconds: number): Promise<void> {
  await office.owner.query(
    `update outbox_messages set claimed_at = claimed_at - make_interval(secs => $2), ask_at = ask_at - make_interval(secs => $2),
       not_before = not_before - make_interval(secs => $2), expires_at = expires_at - make_interval(secs => $2)
     where id = any ($1::bigint[])`,
    [ids, seconds],
  )
}
