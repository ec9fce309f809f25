// What topping up costs, and which channels an agent is offered.

import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { ASKED_REFUSALS, refuseUnasked, savedRisks } from '#features/office/prices/rules.ts'
import { CHANNEL_NAMES, refusePrice, SETTINGS_REFUSALS } from '#features/sales/payments/rules.ts'
import { saveChannels, savePrices } from '#features/sales/payments/server-manage.ts'
import { pricesOf } from '#features/sales/payments/server-start.ts'
import { agentPayChannels } from '#features/sales/payments/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { PAY_CHANNELS, type PayChannelName, perChannel } from '#kit/ports/channels.ts'
import { type Ctx, changesOf, ownRows, type Verb } from '#server/ctx.ts'
import { equal, ownCondition, rowsAndTotal } from '#server/list.ts'
import { Refusal, refuse, staffAlone } from '#server/refuse.ts'
import type { paymentDesk as contract } from './contract.ts'

type Choice = In<typeof contract.setAgentChannels>['choice']

export async function settings(ctx: Ctx): Promise<Out<typeof contract.settings>> {
  const choice = await choiceOf(ctx, 0)
  return {
    ...(await pricesOf(ctx)),
    connected: PAY_CHANNELS.filter(channel => ctx.services.providers.pay[channel] !== undefined),
    offered: perChannel(channel => choice[channel] ?? false),
  }
}

async function choiceOf(ctx: Ctx, agentId: number): Promise<Choice> {
  const rows = await ctx.db.select().from(agentPayChannels).where(eq(agentPayChannels.agentId, agentId))
  return choiceIn(rows)
}

function choiceIn(rows: readonly { channel: PayChannelName; enabled: boolean }[]): Choice {
  return perChannel(channel => rows.find(row => row.channel === channel)?.enabled ?? null)
}

export const setPrices: Verb<typeof contract.setPrices> = async (ctx, { answered, ...input }) => {
  staffAlone(ctx)
  refuse(refusePrice(input.tokenFen), SETTINGS_REFUSALS, { field: 'tokenFen' })
  refuse(refusePrice(input.smsHundredFen), SETTINGS_REFUSALS, { field: 'smsHundredFen' })
  const before = await pricesOf(ctx)
  const risks = savedRisks([
    { beforeCents: before.tokenFen, afterCents: input.tokenFen },
    { beforeCents: before.smsHundredFen, afterCents: input.smsHundredFen },
  ])
  refuse(refuseUnasked(risks, answered), ASKED_REFUSALS, { field: 'tokenYuan' })
  await savePrices(ctx, input)
  ctx.object('setting', 'recharge-prices')
  ctx.note(
    '充值价格',
    changesOf(before, input, {
      tokenFen: { kind: 'money', label: '每代币', unit: '元' },
      smsHundredFen: { kind: 'money', label: '每百条短信', unit: '元' },
    }),
  )
  return input
}

/** Agents with a choice of their own, by their id. */
export const agentChannels: Verb<typeof contract.agentChannels> = async (ctx, input) => {
  const list = {
    name: 'agent_channels',
    table: agents,
    conditions: [
      ...ownCondition(ctx, agents.id),
      ...equal('agentId', agents.id, input.agentId),
      {
        key: 'chosen',
        sql: sql`exists (select 1 from agent_pay_channels c where c.agent_id = ${agents.id} and c.agent_id <> 0)`,
      },
    ],
    sort: 'id',
    order: [asc(agents.id)],
  }
  const { rows, ...total } = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({ agentId: agents.id, agentName: agents.companyName })
      .from(page)
      .innerJoin(agents, eq(agents.id, page.id))
      .orderBy(asc(agents.id)),
  )
  const chosen =
    rows.length === 0
      ? []
      : await ctx.db
          .select()
          .from(agentPayChannels)
          .where(
            inArray(
              agentPayChannels.agentId,
              rows.map(row => row.agentId),
            ),
          )
  return {
    rows: rows.map(row => ({
      ...row,
      choice: choiceIn(chosen.filter(({ agentId }) => agentId === row.agentId)),
    })),
    ...total,
  }
}

const CHANNEL_FLAGS = perChannel(channel => ({ kind: 'flag', label: CHANNEL_NAMES[channel] }) as const)

export const setAgentChannels: Verb<typeof contract.setAgentChannels> = async (ctx, { agentId, choice }) => {
  if (agentId === 0) staffAlone(ctx)
  // One after the other, where everybody's is set by two people at once.
  await ctx.client.query(`select pg_advisory_xact_lock(hashtext('agent_pay_channels'))`)
  const name = agentId === 0 ? '全部代理商' : await nameOf(ctx, agentId)
  const before = await choiceOf(ctx, agentId)
  // Everybody's choice is yes or no.
  const wanted = agentId === 0 ? perChannel(channel => choice[channel] ?? true) : choice
  await saveChannels(ctx, agentId, wanted)
  ctx.object('setting', `pay-channels ${agentId}`)
  if (agentId !== 0) ctx.about(agentId)
  ctx.note(`${name} (${agentId})`, changesOf(before, wanted, CHANNEL_FLAGS))
  return { agentId, choice: wanted }
}

async function nameOf(ctx: Ctx, agentId: number): Promise<string> {
  const [agent] = await ctx.db
    .select({ name: agents.companyName })
    .from(agents)
    .where(and(eq(agents.id, agentId), ownRows(ctx, agents.id)))
    .for('no key update')
  if (!agent) throw new Refusal('AGENT_UNKNOWN', SETTINGS_REFUSALS.AGENT_UNKNOWN, { field: 'agentId' })
  return agent.name
}
