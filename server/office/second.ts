// What is told to whoever comes second with a thing that somebody has decided or done meanwhile: who was first, by name.
import { and, arrayContains, desc, eq } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { Refusal } from '../refuse.ts'
import { operationLogs } from '../tables.ts'

/** The name, where the thing's own row has it, or what the thing is called in the operation log. */
type First = { name: string } | { object: string }

/** Throws the refusal with the name of whoever was first before its message; does nothing without a code. */
export async function refuseSecond<T extends Readonly<Record<string, string>>>(
  ctx: Ctx,
  code: (keyof T & string) | null,
  messages: T,
  first: First,
): Promise<void> {
  if (code === null) return
  const name = 'name' in first ? first.name : await lastActor(ctx, first.object)
  const message = messages[code] ?? code
  throw new Refusal(code, name ? `已由${name}处理：${message}` : message)
}

async function lastActor(ctx: Ctx, object: string): Promise<string> {
  const [row] = await ctx.db
    .select({ name: operationLogs.accountName, accountId: operationLogs.accountId })
    .from(operationLogs)
    .where(and(arrayContains(operationLogs.objects, [object]), eq(operationLogs.outcome, 'done')))
    .orderBy(desc(operationLogs.createdAt), desc(operationLogs.id))
    .limit(1)
  // Whoever presses twice knows who it was.
  return row && row.accountId !== ctx.actor.accountId ? row.name : ''
}
