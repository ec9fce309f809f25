import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import { CATEGORY_REFUSALS, LIST_SOURCES, type ListSource } from './rules.ts'

const Category = z.object({
  id: z.number(),
  name: z.string(),
  level: z.number(),
  parent: z.number(),
  children: z.array(z.number()),
  isSensitive: z.boolean(),
  papers: z.array(z.array(z.object({ name: z.string(), url: z.string().nullable() }))),
})

export const CategoryList = z.object({
  id: z.number(),
  source: z.enum(Object.keys(LIST_SOURCES) as [ListSource, ...ListSource[]]),
  takenAt: z.string(),
  takenByName: z.string(),
  categories: z.array(Category),
})

export const programCategories = {
  /** The list that holds, with its date. */
  list: op(
    { permission: 'programCategories.list' },
    { method: 'GET', path: '/program-categories', summary: 'Categories of mini programs' },
  ).output(CategoryList),
  /** The platform's own list takes the place of the one that was seen, which is kept. */
  refresh: op(
    {
      permission: 'programCategories.refresh',
      log: '更新小程序类目',
      detached: true,
      stale: ['programCategories', 'programApplications.categories'],
    },
    {
      method: 'POST',
      path: '/program-categories/refresh',
      summary: 'Take the list of categories from the platform',
    },
  )
    .errors(errorsOf(CATEGORY_REFUSALS))
    .input(z.object({ seen: whole(0) }))
    .output(z.object({ categories: z.number() })),
}
