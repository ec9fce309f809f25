// The list that a fresh office starts with: what is known without asking the platform. The documents name first levels alone and give no
// numbers; whole is what the platform's own call brings.
import type { OfferedCategory } from './rules.ts'

const named = (id: number, name: string, parent: number, papers: readonly string[][] = []) => ({
  ...{ id, name, parent, level: parent === 0 ? 1 : 2, isSensitive: papers.length > 0 },
  papers: papers.map(list => list.map(paper => ({ name: paper, url: null }))),
})

const ROWS = [
  named(220, '餐饮', 0),
  named(221, '点餐平台', 220, [['《食品经营许可证》'], ['《增值电信业务经营许可证》']]),
  named(222, '外卖平台', 220, [['《增值电信业务经营许可证》']]),
  named(223, '餐厅排队', 220),
  named(224, '点评与推荐', 220),
  named(304, '商家自营', 0),
  named(321, '食品', 304, [['《食品经营许可证》'], ['《食品生产许可证》']]),
  named(307, '服饰内衣', 304),
  named(8, '教育', 0),
  named(39, '在线教育', 8, [['《办学许可证》', '《备案证明》']]),
]

const BUILT_IN: OfferedCategory[] = ROWS.map(row => ({
  ...row,
  children: ROWS.filter(({ parent }) => parent === row.id).map(({ id }) => id),
}))

/** In force until the platform's own was asked for. */
export const BUILT_IN_LIST = {
  ...{ id: 0, source: 'builtIn' as const, takenAt: '2026-11-29T00:00:00.000Z', takenByName: '' },
  categories: BUILT_IN,
}
