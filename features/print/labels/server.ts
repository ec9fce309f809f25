// Label templates: what is wrong with one before it is published, what of a shop stands on its labels, a label as a PDF.
import { and, eq } from 'drizzle-orm'
import { regionsOf } from '#features/office/regions/server.ts'
import { templateVerbs } from '#features/print/print-templates/server.ts'
import type { TemplateSetup } from '#features/print/print-templates/server-rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { calibrated } from '#kit/print/calibrated.ts'
import { savedLabel } from '#kit/print/edit/draft.ts'
import { faultsOfAll, isEmptyLabel } from '#kit/print/faults.ts'
import type { Label } from '#kit/print/label.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { pdfOf } from '#server/print/pdf.ts'
import { staffAlone } from '#server/refuse.ts'
import { drawingRoom } from '#server/rooms.ts'
import { serve } from '#server/serve.ts'
import { labels } from './contract.ts'
import { LABEL_PICTURE } from './rules.ts'

/** Data as shops usually have, and the longest. */
const TRIED = [SAMPLES.typical, SAMPLES.longest]

/** What stops a label from being published, at 203 dpi, which most printers have. */
export async function stopsOf(label: Label): Promise<string[]> {
  const glyphs = await glyphsOf(labelCharacters(label, ...TRIED))
  const found = faultsOfAll(label, TRIED, { dots: 8, glyphs })
  return found.filter(({ stops }) => stops).map(({ words, help }) => `${words}。${help}`)
}

async function isEmpty(label: Label): Promise<boolean> {
  return isEmptyLabel(label, TRIED, { dots: 8, glyphs: await glyphsOf(labelCharacters(label, ...TRIED)) })
}

const TEMPLATES: TemplateSetup<Label> = {
  kind: 'label',
  check: (_ctx, label) => stopsOf(label),
  isEmpty: (_ctx, label) => isEmpty(label),
  prepare: savedLabel,
  pictures: {
    purpose: LABEL_PICTURE,
    of: ({ background }) => (background === null ? [] : [background]),
  },
}

/** What of a shop stands on its labels, by field; null: whoever asks sees no such shop. */
export async function shopOnLabels(ctx: Ctx, merchantId: number) {
  const [shop] = await ctx.db
    .select()
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  if (!shop) return null
  const { shopName, shopPhone: phone, districtCode, address } = shop
  const where = (await regionsOf(ctx)).formatAddress(districtCode, address)
  return { id: shop.id, data: { shopName, phone, shopAddress: where, address: where } }
}

export const shopSample: Verb<typeof labels.shopSample> = async (ctx, { merchantId }) => {
  staffAlone(ctx)
  return { shop: await shopOnLabels(ctx, merchantId) }
}

export const paper: Verb<typeof labels.paper> = async (ctx, { content, data, calibration }) => {
  staffAlone(ctx)
  const glyphs = await glyphsOf(labelCharacters(content, data))
  const { dots } = calibration
  const scene = calibrated(sceneOf(content, data, { dots, glyphs }), calibration)
  const bytes = await drawingRoom.run(ctx.actor.agentId, () => pdfOf([{ scene }]))
  return { base64: bytes.toString('base64') }
}

export const labelsRouter = serve(labels, { ...templateVerbs(TEMPLATES), shopSample, paper })
