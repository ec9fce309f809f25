// The texts of notices as the operator words them.
import { filled } from '#kit/words/placeholders.ts'
import type { Ctx } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { NoticeTextKey } from './reference.ts'
import { noticeTexts } from './tables.ts'

type Filled = { title: string; body: string }
type TextOf = (key: NoticeTextKey, values?: Readonly<Record<string, string>>) => Filled

/** Title and body of notices, with what is to stand at their places: all texts, read once. */
export async function noticeTextsIn(ctx: Ctx): Promise<TextOf> {
  const texts = await ctx.db.select().from(noticeTexts)
  return (key, values = {}) => {
    const { title, body } = found(texts.find(text => text.key === key))
    return { title, body: filled(body, values) }
  }
}

/** Of one notice. */
export async function noticeText(ctx: Ctx, ...asked: Parameters<TextOf>): Promise<Filled> {
  return (await noticeTextsIn(ctx))(...asked)
}
