// What demo rows of print templates are made with: the kinds' own demo.ts says which.
import { ago, type Demo } from '#server/demo.ts'
import type { TemplateKind } from './rules.ts'
import { printTemplateEvents, printTemplates, printTemplateVersions } from './tables.ts'

type Told = {
  kind: TemplateKind
  name: string
  content: unknown
  industryIds?: number[]
  isCustom?: boolean
  /** Made so many days ago, and two days later published to all shops, unless it is a draft. */
  days: number
  state: 'published' | 'changed' | 'draft'
  by: { id: number; name: string }
}

/** A template as staff would have made it, with its version and what its history tells. */
export function addTemplate(
  demo: Demo,
  { days, state, by, industryIds = [], isCustom = false, ...told }: Told,
) {
  const createdAt = ago(demo, days)
  const publishedAt = ago(demo, days - 2)
  const changedAt = { draft: createdAt, published: publishedAt, changed: ago(demo, days - 4) }[state]
  const common = { ...told, industryIds }
  demo.history.at(createdAt, () => {
    const { id: templateId } = demo.history.add(printTemplates, {
      ...{ ...common, isCustom, createdBy: by.id, createdByName: by.name, createdAt },
      ...{ revision: state === 'changed' ? 2 : 1, updatedByName: by.name, updatedAt: changedAt },
      ...(state !== 'draft' && { publishedVersion: 1, publishedRevision: 1 }),
    })
    if (state === 'draft') return
    demo.history.add(printTemplateVersions, {
      ...{ ...common, templateId, number: 1, toAll: true, publishedBy: by.id },
      ...{ publishedByName: by.name, publishedAt },
    })
    demo.history.add(printTemplateEvents, {
      ...{ templateId, kind: 'published', number: 1, audience: '全部店铺' },
      ...{ byName: by.name, at: publishedAt },
    })
  })
}
