// Groups of what a receipt says, and the templates that are put together of them (D3 §3, §5).
import { asc, eq } from 'drizzle-orm'
import { templateVerbs } from '#features/print/print-templates/server.ts'
import { saveDraft } from '#features/print/print-templates/server-draft.ts'
import type { TemplateSetup } from '#features/print/print-templates/server-rows.ts'
import { keysIn, picked } from '#kit/declare/fields.ts'
import type { Out } from '#kit/declare/op.ts'
import { calibrated } from '#kit/print/calibrated.ts'
import {
  catalogueItem,
  picturesOn,
  type ReceiptContent,
  type ReceiptItem,
  SECTIONS,
} from '#kit/print/receipt.ts'
import { linesOf } from '#kit/print/receipt-lines.ts'
import { sampleOf } from '#kit/print/receipt-samples.ts'
import { charactersOn, sceneOfReceipt } from '#kit/print/receipt-scene.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { pdfOf } from '#server/print/pdf.ts'
import { found, refuse, refuseCommon, staffAlone } from '#server/refuse.ts'
import { drawingRoom } from '#server/rooms.ts'
import { serve } from '#server/serve.ts'
import { receipts as contract } from './contract.ts'
import { GROUP_FIELDS } from './fields.ts'
import {
  brokenIn,
  checkedIds,
  completed,
  faultsOfReceipt,
  isEmptyReceipt,
  prepared,
  RECEIPT_LOGO,
  RECEIPT_REFUSALS,
  refuseContent,
} from './rules.ts'
import { logosOf, readLogos } from './server-logo.ts'
import { receiptGroups as groups } from './tables.ts'

type Group = typeof groups.$inferSelect

const LOGGED = picked(GROUP_FIELDS, keysIn(GROUP_FIELDS, 'log'))

export const RECEIPT_SETUP: TemplateSetup<ReceiptContent> = {
  kind: 'receipt',
  check: (_ctx, content) => faultsOfReceipt(content),
  isEmpty: (_ctx, content) => isEmptyReceipt(content),
  prepare: prepared,
  pictures: { purpose: RECEIPT_LOGO, of: picturesOn },
}

export async function readGroups(ctx: Ctx): Promise<Out<typeof contract.groups>> {
  staffAlone(ctx)
  return { rows: await ctx.db.select().from(groups).orderBy(asc(groups.id)) }
}

async function lockGroup(ctx: Ctx, id: number): Promise<Group | undefined> {
  const [row] = await ctx.db.select().from(groups).where(eq(groups.id, id)).for('update')
  return row
}

const subjectOf = ({ id, name }: Pick<Group, 'id' | 'name'>) => `${name} (${id})`
const namesOf = (items: readonly ReceiptItem[]) =>
  items
    .filter(({ required }) => required)
    .map(({ id }) => catalogueItem(id)?.name ?? String(id))
    .join('、')

/** What the log says of it. */
const told = ({
  name,
  section,
  tags,
  remarks,
  items,
}: Pick<Group, 'name' | 'section' | 'tags' | 'remarks' | 'items'>) => ({
  ...{ name, sectionName: SECTIONS[section], tags, remarks },
  requiredNames: namesOf(items),
})

export const saveGroup: Verb<typeof contract.saveGroup> = async (ctx, { id, revision, ...form }) => {
  staffAlone(ctx)
  const before = id === null ? null : found(await lockGroup(ctx, id))
  if (before && before.revision !== revision) refuseCommon('STALE')
  const [broken] = brokenIn(form)
  if (broken) refuse(broken.code, RECEIPT_REFUSALS, { field: broken.field })
  const values = {
    ...{
      name: form.name.trim(),
      section: form.section,
      tags: form.tags.trim(),
      remarks: form.remarks.trim(),
    },
    items: completed(form.section, form.items),
    updatedByName: ctx.actor.name,
    updatedAt: ctx.now.toISOString(),
  }
  const [row] = before
    ? await ctx.db
        .update(groups)
        .set({ ...values, revision: before.revision + 1 })
        .where(eq(groups.id, before.id))
        .returning({ id: groups.id })
    : await ctx.db.insert(groups).values(values).returning({ id: groups.id })
  const saved = found(row)
  const after = told(values)
  ctx.object('receiptGroup', saved.id)
  ctx.note(
    subjectOf({ id: saved.id, name: values.name }),
    before
      ? changesOf(told(before), after, LOGGED)
      : changesOf({} as typeof after, after, LOGGED).filter(change => change.after),
  )
  return saved
}

export const removeGroup: Verb<typeof contract.removeGroup> = async (ctx, { id }) => {
  staffAlone(ctx)
  const before = found(await lockGroup(ctx, id))
  await ctx.db.delete(groups).where(eq(groups.id, id))
  ctx.object('receiptGroup', id)
  ctx.note(subjectOf(before), [{ name: '小票信息分组', before: before.name, after: null }])
  return { id }
}

/** A template, with the checks that were changed in it. */
export const save: Verb<typeof contract.save> = async (ctx, { groups: changed, ...draft }) => {
  refuse(refuseContent(draft.content), RECEIPT_REFUSALS, { field: 'content' })
  const saved = await saveDraft(ctx, RECEIPT_SETUP as TemplateSetup<unknown>, draft)
  const staleGroups: string[] = []
  for (const { id, revision, checked } of changed.toSorted((a, b) => a.id - b.id)) {
    const before = await lockGroup(ctx, id)
    if (!before) continue
    if (before.revision === revision) await setChecks(ctx, before, new Set(checked))
    else staleGroups.push(before.name)
  }
  return { ...saved, staleGroups }
}

async function setChecks(ctx: Ctx, before: Group, checked: ReadonlySet<number>): Promise<void> {
  const items = before.items.map(item => ({ ...item, checked: item.required || checked.has(item.id) }))
  if (String(checkedIds({ items })) === String(checkedIds(before))) return
  const by = { updatedByName: ctx.actor.name, updatedAt: ctx.now.toISOString() }
  await ctx.db
    .update(groups)
    .set({ items, revision: before.revision + 1, ...by })
    .where(eq(groups.id, before.id))
}

/** Pages of the sizes of the paper. */
export const drawPaper: Verb<typeof contract.paper> = async (ctx, input) => {
  staffAlone(ctx)
  const { content, type, length, paper, isReprint, calibration } = input
  const lines = linesOf(prepared(content), { ...sampleOf(type, length), isReprint }, paper)
  const [glyphs, logos] = await Promise.all([
    glyphsOf(charactersOn(lines)),
    logosOf(ctx, picturesOn(content)),
  ])
  const pages = sceneOfReceipt(lines, { paper, glyphs, logos })
  const scenes = pages.map(({ scene }) => ({ scene: calibrated(scene, calibration) }))
  const bytes = await drawingRoom.run(ctx.actor.agentId, () => pdfOf(scenes))
  return { base64: bytes.toString('base64') }
}

export const receiptsRouter = serve(contract, {
  ...templateVerbs(RECEIPT_SETUP),
  save,
  groups: readGroups,
  saveGroup,
  removeGroup,
  logos: readLogos,
  paper: drawPaper,
})
