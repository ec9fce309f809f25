// What a text would reach and cost now; sending asks the same, so that nothing else is sent than what was shown.
import { balancesOf } from '#features/money/ledger/server.ts'
import { type Template, templatesByKey } from '#features/shops/messages/server-templates.ts'
import { segmentsOf } from '#kit/words/segments.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import type { campaigns as contract } from './contract.ts'
import { type Credit, missingOf, type Reach, segmentsFor, textFor } from './rules.ts'
import { type Audience, type Counted, countShops, sampleShops } from './server-audience.ts'

export type Message = { template: Template; params: Readonly<Record<string, string>> }

type Costs = { segments: number; segmentsMin: number; segmentsMax: number }

export function costsOf(ctx: Ctx, counted: Counted, message: Message | null): Costs {
  if (!message || counted.lengths.length === 0) return { segments: 0, segmentsMin: 0, segmentsMax: 0 }
  const { smsSignature } = ctx.services.providers
  const each = counted.lengths.map(({ length, shops }) => ({
    shops,
    segments: segmentsFor(smsSignature, message.template, message.params, length),
  }))
  return {
    segments: each.reduce((sum, { shops, segments }) => sum + shops * segments, 0),
    segmentsMin: Math.min(...each.map(({ segments }) => segments)),
    segmentsMax: Math.max(...each.map(({ segments }) => segments)),
  }
}

/** `afterId`: only shops whose id is greater. */
export async function reachOf(
  ctx: Ctx,
  audience: Audience,
  message: Message,
  afterId = 0,
): Promise<Reach & Credit> {
  const counted = await countShops(ctx, audience, afterId)
  const { segments } = costsOf(ctx, counted, message)
  return { shops: counted.shops, segments, ...(await creditOf(ctx)) }
}

async function creditOf(ctx: Ctx): Promise<Credit> {
  const { agentId } = ctx.actor
  // First what is still needed: a chunk that is paid in between is then counted twice, never not at all.
  const { rows } = await ctx.client.query<{ reserved: number }>({
    name: 'campaigns_reserved',
    text: `
      select coalesce(sum(greatest(0, c.expected_segments - coalesce(written.segments, 0))), 0)::float8 as reserved
      from campaigns c left join lateral (
        select sum(m.segments) as segments from outbox_messages m
        where m.campaign_id = c.id and c.status = 'queueing') written on true
      where c.agent_id = $1 and c.status in ('scheduled', 'queueing')`,
    values: [agentId],
  })
  const { sms } = await balancesOf(ctx, agentId)
  return { balance: sms, reserved: rows[0]?.reserved ?? 0 }
}

export const preview: Verb<typeof contract.preview> = async (ctx, { templateKey, params, audience }) => {
  const template = campaignTemplates(await templatesByKey(ctx)).get(templateKey)
  const message = template ? { template, params } : null
  const counted = await countShops(ctx, audience)
  const costs = costsOf(ctx, counted, message)
  const credit = await creditOf(ctx)
  const { smsSignature } = ctx.services.providers
  const samples = message ? await sampleShops(ctx, audience) : []
  return {
    shops: counted.shops,
    disabled: counted.disabled,
    notMobile: counted.notMobile,
    ...costs,
    ...credit,
    missing: missingOf(costs.segments, credit),
    samples: samples.map(({ id, shopName, account }) => {
      const text = textFor((message as Message).template, params, shopName)
      return { merchantId: id, shopName, phone: account, text, segments: segmentsOf(smsSignature, text) }
    }),
  }
}

/** Those that can be sent to many shops. */
export function campaignTemplates(templates: ReadonlyMap<string, Template>): Map<string, Template> {
  return new Map([...templates].filter(([, { forCampaigns }]) => forCampaigns))
}
