// Templates as the providers have approved them; messages are made from them and from nothing else.
import { asc, eq } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import type { BrokenValue } from '#kit/declare/reference.ts'
import type { Ctx } from '#server/ctx.ts'
import type { RowChange } from '#server/office/reference-tables.ts'
import { found } from '#server/refuse.ts'
import type { messages as contract } from './contract.ts'
import { smsTemplates } from './tables.ts'

export type Template = typeof smsTemplates.$inferSelect

/** Those that can be sent, by key. */
export async function templatesByKey(ctx: Ctx): Promise<Map<string, Template>> {
  const rows = await ctx
    .prepared('sms_templates', db =>
      db
        .select()
        .from(smsTemplates)
        .where(eq(smsTemplates.enabled, true))
        .orderBy(asc(smsTemplates.position))
        .prepare('sms_templates'),
    )
    .execute()
  return new Map(rows.map(row => [row.key, row]))
}

export async function listTemplates(ctx: Ctx): Promise<Out<typeof contract.templates>> {
  const templates = await templatesByKey(ctx)
  return { signature: ctx.services.providers.smsSignature, rows: [...templates.values()] }
}

/** Codes and notices of the program itself have no other way. */
export async function refuseTurnedOff(ctx: Ctx, { id, after }: RowChange): Promise<BrokenValue | null> {
  if (after.enabled) return null
  const [row] = await ctx.db
    .select({ forCampaigns: smsTemplates.forCampaigns })
    .from(smsTemplates)
    .where(eq(smsTemplates.key, String(id)))
  return found(row).forCampaigns ? null : { field: 'enabled', message: '系统短信不能停用' }
}
