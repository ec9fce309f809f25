// What a text would reach and cost now; sending asks the same, so that nothing else is sent than what was shown.
import { balancesOf } from '#features/ledger/server.ts'
import { type Template, templatesByKey } from '#features/messages/server-templates.ts'
import type { In, Out } from '#kit/op.ts'
import { segmentsOf } from '#kit/segments.ts'
import type { Ctx } from '#server/ctx.ts'
import type { campaigns as contract } from './contract.ts'
import { type Reach, segmentsFor, textFor } from './rules.ts'
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

export async function reachOf(
  ctx: Ctx,
  audience: Audience,
  message: Message,
): Promise<Reach & { balance: number }> {
  const counted = await countShops(ctx, audience)
  const { segments } = costsOf(ctx, counted, message)
  const { sms } = await balancesOf(ctx, ctx.actor.agentId)
  return { shops: counted.shops, segments, balance: sms }
}

export async function preview(
  ctx: Ctx,
  { templateKey, params, audience }: In<typeof contract.preview>,
): Promise<Out<typeof contract.preview>> {
  const template = campaignTemplates(await templatesByKey(ctx)).get(templateKey)
  const message = template ? { template, params } : null
  const counted = await countShops(ctx, audience)
  const costs = costsOf(ctx, counted, message)
  const { sms } = await balancesOf(ctx, ctx.actor.agentId)
  const { smsSignature } = ctx.services.providers
  const samples = message ? await sampleShops(ctx, audience) : []
  return {
    shops: counted.shops,
    disabled: counted.disabled,
    notMobile: counted.notMobile,
    ...costs,
    balance: sms,
    missing: Math.max(0, costs.segments - sms),
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
