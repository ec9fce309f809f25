// Demo rows of label templates: those that an office begins with, one of them drawn on since, and one that waits.
import { demoStaff } from '#features/office/access/demo.ts'
import { addTemplate } from '#features/print/print-templates/demo.ts'
import { INDUSTRIES } from '#features/shops/merchants/reference.ts'
import type { Demo } from '#server/demo.ts'
import { SYSTEM_LABELS } from './reference.ts'

const FIRST_DAYS_AGO = 120
const EACH_DAYS = 15
/** Which of them. */
const CHANGED = 3
const idOf = (name: string) => INDUSTRIES.find(industry => industry.name === name)?.id ?? 1

export function demo(demo: Demo): void {
  const by = demoStaff(demo)
  const last = SYSTEM_LABELS.length - 1
  SYSTEM_LABELS.forEach(({ name, industries, label: content }, at) => {
    const state = at === last ? 'draft' : at === CHANGED ? 'changed' : 'published'
    const days = FIRST_DAYS_AGO - at * EACH_DAYS
    addTemplate(demo, { kind: 'label', name, content, days, state, by, industryIds: industries.map(idOf) })
  })
}
