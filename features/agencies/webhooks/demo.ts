// Demo endpoints of the first agent, none of which is on: the demo sends nothing to other machines. One has a history.
import { and, asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type ChangeTopic, TOPIC_KEYS } from '#features/shops/pos-changes/rules.ts'
import type { Services } from '#server/ctx.ts'
import { ago, type Demo } from '#server/demo.ts'
import { actAsSystem } from '#server/system.ts'
import { type DeliveryState, type DeliveryTopic, type OffReason, TEST_TOPIC } from './rules.ts'
import { webhookDeliveries, webhookEndpoints } from './tables.ts'

const ENDPOINTS: readonly { url: string; topics: ChangeTopic[]; offReason: OffReason; days: number }[] = [
  {
    url: 'https://erp.example.com/shops/changed',
    topics: ['shop.term.changed'],
    offReason: 'gone',
    days: 140,
  },
  { url: 'https://old-pos.example.com/hooks', topics: [...TOPIC_KEYS], offReason: 'failing', days: 60 },
  { url: 'https://pos.example.com/hooks', topics: [...TOPIC_KEYS], offReason: 'hand', days: 20 },
]
const HOUR = 1 / 24

export async function afterwards(demo: Demo): Promise<void> {
  const db = drizzle(demo.client)
  const agentId = DEMO_AGENTS.first
  // The demo's shops were not sold just now: what programs are told begins with what happens from here on.
  await demo.client.query('delete from change_inbox')
  let latest = 0
  for (const { url, topics, offReason, days } of ENDPOINTS) {
    const [row] = await db
      .insert(webhookEndpoints)
      .values({
        ...{ agentId, url, topics, enabled: false, offReason },
        offAt: ago(demo, days / 20),
        failingSince: offReason === 'failing' ? ago(demo, days / 20 + 1) : null,
        lastDeliveredAt: ago(demo, days / 20 + 1),
        createdByName: '示例',
        createdAt: ago(demo, days),
      })
      .returning({ id: webhookEndpoints.id })
    latest = row?.id as number
  }
  const shops = await db
    .select({ id: merchants.id })
    .from(merchants)
    .where(eq(merchants.agentId, agentId))
    .orderBy(asc(merchants.id))
    .limit(TOPIC_KEYS.length)
  const topics: readonly DeliveryTopic[] = [...TOPIC_KEYS, TEST_TOPIC]
  const told = topics.map((topic, nth) => {
    const state: DeliveryState = nth % 5 === 3 ? 'failed' : nth % 5 === 4 ? 'pending' : 'delivered'
    const at = ago(demo, 2 + nth * HOUR)
    const isTest = topic === TEST_TOPIC
    return {
      ...{ endpointId: latest, agentId, topic, state, data: {}, at, queuedAt: at, dueAt: at, triedAt: at },
      merchantId: isTest ? null : (shops[nth]?.id ?? null),
      ...(state === 'delivered'
        ? { attempts: 1, httpCode: 200, answer: 'ok', tookMs: 40 + nth * 7, deliveredAt: at }
        : { attempts: state === 'failed' ? 41 : 2, httpCode: 503, answer: 'maintenance', tookMs: 1_200 }),
    }
  })
  await db.insert(webhookDeliveries).values(told)
}

/** Where the demo's own POS is told of changes, on this machine. Made once: who switches it off or removes it is let be. */
export async function openDemoPosEndpoint(
  services: Services,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  const agentId = DEMO_AGENTS.first
  await actAsSystem(services, 'demo', async ctx => {
    const made = and(eq(webhookEndpoints.agentId, agentId), eq(webhookEndpoints.url, url))
    if ((await ctx.db.$count(webhookEndpoints, made)) > 0) return
    await ctx.db.insert(webhookEndpoints).values({
      ...{
        agentId,
        url,
        topics: [...TOPIC_KEYS],
        createdByName: '示例',
        createdAt: new Date().toISOString(),
      },
      ...{ secret: services.secrets.encrypt(secret), secretEnd: secret.replace(/=+$/, '').slice(-4) },
    })
  })
}
