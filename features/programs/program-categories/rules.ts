// Owns what a list of mini-program categories is, how one is chosen of it, and what papers a category wants (D2 §3, D3 §3).

/** As the platform offers it (`kit/ports/mini-programs.ts`): `parent` 0 is the first level; `papers` are alternatives, of which one is wanted whole. */
export type OfferedCategory = {
  id: number
  name: string
  level: number
  parent: number
  children: number[]
  isSensitive: boolean
  papers: { name: string; url: string | null }[][]
}

/** Where a list comes from. */
export const LIST_SOURCES = { builtIn: '内置清单', platform: '微信平台' } as const
export type ListSource = keyof typeof LIST_SOURCES

/** The first levels that the documents name. They give no entries below them. */
export const DOCUMENTED_FIRST_LEVELS = [
  ...['快递业与邮政', '教育', '医疗', '政务民生', '金融业', '旅游', '出行与交通', '房地产', '生活服务'],
  ...['IT科技', '餐饮', '社交', '文娱', '工具', '商家自营', '商业服务', '公益', '体育', '电商平台'],
  ...['时政信息', '汽车'],
] as const

export const CATEGORY_REFUSALS = {
  NOT_CONNECTED: '还没有连接微信第三方平台，不能更新类目',
  NO_PROGRAM: '还没有小程序授权给平台，不能更新类目；有店铺完成授权后再试',
  NOTHING_TOLD: '微信平台没有返回可用的类目，原清单保留',
  PLATFORM_REFUSED: '微信平台拒绝了请求，原清单保留',
  PLATFORM_SILENT: '微信平台暂时没有答复，原清单保留，请稍后再试',
} as const

/** Of a tree to choose from; `code` is the platform's number. */
export type CategoryStep = { code: string; name: string; children?: CategoryStep[] }

/** Categories that stand under one they name, or on the first level; the rest is no part of a tree. */
export function placedOf(categories: readonly OfferedCategory[]): OfferedCategory[] {
  const byId = new Map(categories.map(one => [one.id, one]))
  const isPlaced = (one: OfferedCategory, seen: ReadonlySet<number>): boolean => {
    if (one.parent === 0) return true
    const parent = byId.get(one.parent)
    return parent !== undefined && !seen.has(one.id) && isPlaced(parent, new Set([...seen, one.id]))
  }
  return [...byId.values()].filter(one => one.name !== '' && isPlaced(one, new Set()))
}

/** The tree, however deep it is; a first level with nothing below it cannot be chosen and is left out. */
export function stepsOf(categories: readonly OfferedCategory[]): CategoryStep[] {
  const below = Map.groupBy(placedOf(categories), ({ parent }) => parent)
  const step = ({ id, name }: OfferedCategory): CategoryStep => {
    const children = (below.get(id) ?? []).map(step)
    return children.length > 0 ? { code: String(id), name, children } : { code: String(id), name }
  }
  return (below.get(0) ?? []).map(step).filter(({ children }) => children)
}

/** From the first level down to the one of this number; null: the list has no such way of two levels or more. */
export function wayTo(categories: readonly OfferedCategory[], id: number): readonly OfferedCategory[] | null {
  const byId = new Map(placedOf(categories).map(one => [one.id, one]))
  const way: OfferedCategory[] = []
  for (let at = byId.get(id); at !== undefined; at = byId.get(at.parent)) way.unshift(at)
  return way.length < 2 ? null : way
}

/** Nothing is below it. */
export const isLast = (categories: readonly OfferedCategory[], id: number) =>
  !categories.some(({ parent }) => parent === id)

/** The papers of each alternative, of which one is wanted whole; none: no papers are wanted. */
export function alternativesOf(category: Pick<OfferedCategory, 'papers'>): string[][] {
  return category.papers
    .map(papers => papers.map(({ name }) => name).filter(name => name !== ''))
    .filter(names => names.length > 0)
}

/** As the documents note it: the papers of the first alternative, joined by a slash; empty: none are wanted. */
export function qualificationNote(category: Pick<OfferedCategory, 'papers'>): string {
  return alternativesOf(category)[0]?.join('/') ?? ''
}

/** First levels that the documents name and this list does not. */
export function lackingOf(categories: readonly OfferedCategory[]): string[] {
  const known = new Set(categories.filter(({ parent }) => parent === 0).map(({ name }) => name))
  return DOCUMENTED_FIRST_LEVELS.filter(name => !known.has(name))
}
