// Demo rows of label templates: those that an office begins with, most of them published, and one that is being drawn.
import { demoStaff } from '#features/access/demo.ts'
import { INDUSTRIES } from '#features/merchants/reference.ts'
import { printTemplates, printTemplateVersions } from '#features/print-templates/tables.ts'
import { ago, type Demo } from '#server/demo.ts'
import { SYSTEM_LABELS } from './reference.ts'

const FIRST_DAYS_AGO = 120
/** Which of them. */
const CHANGED = 3
const idOf = (name: string) => INDUSTRIES.find(industry => industry.name === name)?.id ?? 1

export function demo(demo: Demo): void {
  const staff = demoStaff(demo)
  SYSTEM_LABELS.forEach(({ name, industries, label: content }, at) => {
    const createdAt = ago(demo, FIRST_DAYS_AGO - at * 15)
    const publishedAt = ago(demo, FIRST_DAYS_AGO - at * 15 - 2)
    // The last one waits to be published.
    const isPublished = at < SYSTEM_LABELS.length - 1
    const common = { kind: 'label' as const, name, content, industryIds: industries.map(idOf) }
    demo.history.at(createdAt, () => {
      const row = demo.history.add(printTemplates, {
        ...common,
        ...{ isCustom: false, createdBy: staff.id, createdByName: staff.name, createdAt },
        ...{ updatedByName: staff.name, updatedAt: isPublished ? publishedAt : createdAt },
        // One has been drawn on since.
        ...(at === CHANGED && { revision: 2, updatedAt: ago(demo, 3) }),
        ...(isPublished && { publishedVersion: 1, publishedRevision: 1 }),
      })
      if (!isPublished) return
      demo.history.add(printTemplateVersions, {
        ...{ ...common, templateId: row.id, number: 1, toAll: true, publishedBy: staff.id },
        ...{ publishedByName: staff.name, publishedAt },
      })
    })
  })
}
