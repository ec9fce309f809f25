// Demo rows of receipt templates: those that come with the program, published, one with changes since, and one that is being drawn.
import { demoStaff } from '#features/office/access/demo.ts'
import { addTemplate } from '#features/print/print-templates/demo.ts'
import type { Demo } from '#server/demo.ts'
import { RECEIPT_SAMPLES } from './reference.ts'

type Told = { sample: number; name?: string; days: number; state: 'published' | 'changed' | 'draft' }

const TEMPLATES: readonly Told[] = [
  { sample: 0, days: 118, state: 'published' },
  { sample: 1, days: 96, state: 'changed' },
  { sample: 2, days: 71, state: 'published' },
  { sample: 1, name: '会员小票 80mm 副本', days: 6, state: 'draft' },
]

export function demo(demo: Demo): void {
  const { id, name: byName } = demoStaff(demo)
  for (const { sample, name: own, ...told } of TEMPLATES) {
    const { name, content } = RECEIPT_SAMPLES[sample] as (typeof RECEIPT_SAMPLES)[number]
    const by = { id, name: byName }
    addTemplate(demo, {
      kind: 'receipt',
      name: own ?? name,
      content,
      isCustom: own !== undefined,
      by,
      ...told,
    })
  }
}
