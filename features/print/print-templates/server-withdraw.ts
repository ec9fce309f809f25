// Versions that are served no more: withdrawn, or meant for nobody that a newer one is not meant for.
import { and, desc, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { type Audience, covers } from './rules.ts'
import { servedOf, type VersionWithAudience } from './server-rows.ts'
import { printTemplates as templates, printTemplateVersions as versions } from './tables.ts'

/** Older versions whose every shop this one is meant for. */
export async function supersede(ctx: Ctx, templateId: number, number: number, audience: Audience) {
  const older = (await servedOf(ctx, templateId)).filter(
    version => version.number < number && covers(audience, version.audience),
  )
  if (older.length === 0) return
  await ctx.db
    .update(versions)
    .set({ supersededBy: number })
    .where(
      and(
        eq(versions.templateId, templateId),
        inArray(
          versions.number,
          older.map(one => one.number),
        ),
      ),
    )
}

/** What it superseded is served again. */
export async function withdrawOne(ctx: Ctx, templateId: number, number: number): Promise<void> {
  const ofTemplate = eq(versions.templateId, templateId)
  await ctx.db
    .update(versions)
    .set({ withdrawnAt: ctx.now.toISOString() })
    .where(and(ofTemplate, eq(versions.number, number)))
  await ctx.db
    .update(versions)
    .set({ supersededBy: null })
    .where(and(ofTemplate, eq(versions.supersededBy, number), ne(versions.number, number)))
}

/** All, superseded ones too, so that none comes back; answers those that were served. */
export async function withdrawAll(ctx: Ctx, templateId: number): Promise<VersionWithAudience[]> {
  const served = await servedOf(ctx, templateId)
  await ctx.db
    .update(versions)
    .set({ withdrawnAt: ctx.now.toISOString() })
    .where(and(eq(versions.templateId, templateId), isNull(versions.withdrawnAt)))
  return served
}

/** The template knows its newest version that is served; the draft it was, no more. */
export async function noteNewest(ctx: Ctx, templateId: number): Promise<number | null> {
  const [newest] = await ctx.db
    .select({ number: versions.number })
    .from(versions)
    .where(
      and(eq(versions.templateId, templateId), isNull(versions.withdrawnAt), isNull(versions.supersededBy)),
    )
    .orderBy(desc(versions.number))
    .limit(1)
  const publishedVersion = newest?.number ?? null
  await ctx.db
    .update(templates)
    .set({ publishedVersion, publishedRevision: null })
    .where(eq(templates.id, templateId))
  return publishedVersion
}
