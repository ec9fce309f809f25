// Templates of a kind whose content is a width and a text, in the place of labels: what holds for every kind is tried with it.
import { z } from 'zod'
import { FEATURES } from '#app/features.ts'
import { templateOps } from '#features/print/print-templates/contract-of-kind.ts'
import { templateVerbs } from '#features/print/print-templates/server.ts'
import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { serve } from '#server/serve.ts'

export const Sample = z.strictObject({ width: z.number().int().min(1), text: z.string() })
export type Sample = z.infer<typeof Sample>

export const samples = { ...templateOps('label', Sample) }

const NODES = permissionNodes([
  [880, 6, 90, 'labels.list', '标签模板', '/admin/template/labelPrintList', '888'],
  [881, 880, 1, 'labels.edit', '编辑标签模板', '/admin/template/labelPrintList#edit', '888'],
  [882, 880, 2, 'labels.publish', '发布标签模板', '/admin/template/labelPrintList#publish', '888'],
])

const feature: Feature = {
  contract: samples,
  router: serve(
    samples,
    templateVerbs<Sample>({
      kind: 'label',
      check: (_ctx, { text }) => (text.includes('坏') ? ['条码扫不出'] : []),
      isEmpty: (_ctx, { text }) => text === '',
      prepare: content => ({ ...content, text: content.text.trim() }),
    }),
  ),
  permissions: NODES,
}

/** Before anything else joins the features. */
export function takePlaceOfLabels(): void {
  Object.assign(FEATURES, { labels: feature })
}

export { NODES as SAMPLE_NODES }
