import { levelsOf } from '#features/office/agents/server-levels.ts'
import type { Verb } from '#server/ctx.ts'
import { staffAlone } from '#server/refuse.ts'
import type { priceDesk as contract } from './contract.ts'
import { itemsOf } from './server-items.ts'

export const choices: Verb<typeof contract.choices> = async ctx => {
  staffAlone(ctx)
  return { levels: await levelsOf(ctx), items: await itemsOf(ctx) }
}
