// The texts of notices as the operator words them.
import { eq } from 'drizzle-orm'
import { filled } from '#kit/texts/placeholders.ts'
import type { Ctx } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { NoticeTextKey } from './reference.ts'
import { noticeTexts } from './tables.ts'

/** Title and body of a notice, with what is to stand at their places. */
export async function noticeText(
  ctx: Ctx,
  key: NoticeTextKey,
  values: Readonly<Record<string, string>> = {},
): Promise<{ title: string; body: string }> {
  const [text] = await ctx.db
    .select({ title: noticeTexts.title, body: noticeTexts.body })
    .from(noticeTexts)
    .where(eq(noticeTexts.key, key))
  const { title, body } = found(text)
  return { title, body: filled(body, values) }
}
