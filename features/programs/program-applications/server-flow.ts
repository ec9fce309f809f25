// For the flow of a mini program, which goes on where its application is approved: it moves the documents' numbers and corrects who registers.
import { and, eq, sql } from 'drizzle-orm'
import { cleanCode } from '#kit/words/cleaned.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { type FlowNumbers, maskWechat } from './rules.ts'
import type { Application } from './server-rows.ts'
import { changesOf } from './server-save.ts'
import { programApplications as applications } from './tables.ts'

/** The application is locked (`lockApplication`). */
export async function setFlowNumbers(
  ctx: Ctx,
  id: number,
  { flowStatus, flowStep, submitStatus }: FlowNumbers,
): Promise<void> {
  await ctx.db
    .update(applications)
    .set({ flowStatus, flowStep, submitStatus })
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
}

/** What its mini program shows of itself from now on; the application is locked. */
export async function correctProgram(
  ctx: Ctx,
  before: Application,
  given: Partial<
    Pick<Application, 'programName' | 'intro' | 'categoryId' | 'categoryLevels' | 'categoryName'>
  >,
): Promise<void> {
  await ctx.db
    .update(applications)
    .set({ ...given, revision: sql`${applications.revision} + 1` })
    .where(and(eq(applications.id, before.id), ownRows(ctx, applications.agentId)))
}

type Registrant = Pick<Application, 'companyName' | 'companyCode' | 'legalPersonName' | 'servicePhone'> & {
  /** Empty: the one that is kept stays. */
  legalPersonWechat: string
}

/** What the platform is asked to register, as it was corrected; answers the row and what changed. The application is locked. */
export async function correctRegistrant(
  ctx: Ctx,
  before: Application,
  { legalPersonWechat: wechat, ...typed }: Registrant,
): Promise<{ row: Application; changes: ReturnType<typeof changesOf> }> {
  const [row] = await ctx.db
    .update(applications)
    .set({
      ...typed,
      companyCode: cleanCode(typed.companyCode).toUpperCase(),
      ...(wechat === ''
        ? {}
        : {
            legalPersonWechat: ctx.services.secrets.encrypt(wechat),
            legalPersonWechatMasked: maskWechat(wechat),
          }),
      revision: before.revision + 1,
    })
    .where(and(eq(applications.id, before.id), ownRows(ctx, applications.agentId)))
    .returning()
  const after = found(row)
  return { row: after, changes: changesOf(before, after) }
}
