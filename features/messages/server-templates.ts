// Templates as the providers have approved them; messages are made from them and from nothing else.
import { asc, eq } from 'drizzle-orm'
import type { Out } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
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
