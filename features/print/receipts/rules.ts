// Owns what holds for groups of what a receipt says, and for where they may stand in a template (D3 §3, §5).
// Must never read a clock or a database.
import { setting } from '#kit/declare/settings.ts'
import {
  catalogueItem,
  itemsOf,
  type PlacedGroup,
  type ReceiptContent,
  type ReceiptItem,
  type Section,
  SHEETS,
  type Sheet,
  withShopName,
} from '#kit/print/receipt.ts'
import { unprintedOn } from '#kit/print/receipt-lines.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

export const GROUP_LIMITS = { name: 50, tags: 100, remarks: 200, label: 20, text: 100 } as const
export const RECEIPT_LOGO = 'receipt-logo'
/** D3 §9: a logo of up to 2 MB, best 260x70 and 300 KB. */
export const RECEIPT_LOGO_KB = setting({
  key: 'receipt-logo-kb',
  group: '上传',
  label: '小票LOGO大小',
  unit: 'KB',
  initial: 2_048,
  min: 100,
  max: 8_192,
  hint: '小票模板的LOGO图片最大多少；按黑白点阵打印，最宽48毫米',
})
export const LOGO_HINT = '建议 260×70、300KB 以内'

/** Numbers up to here are of groups that came with the program. */
export const SHIPPED_MOST = 100
/** Groups of one sheet of a template. */
export const GROUPS_MOST = 30

export const RECEIPT_REFUSALS = {
  GROUP_NAME_REQUIRED: '请输入分组名称',
  GROUP_NAME_TOO_LONG: `分组名称不能超过${GROUP_LIMITS.name}字`,
  TAGS_TOO_LONG: '字数不可以超过一百',
  REMARKS_TOO_LONG: `备注不能超过${GROUP_LIMITS.remarks}字`,
  LABEL_TOO_LONG: `显示名称不能超过${GROUP_LIMITS.label}字`,
  TEXT_TOO_LONG: `打印文字不能超过${GROUP_LIMITS.text}字`,
  CHOSEN_ALREADY: '已选择该板块',
  ROLL_ONLY: '只能放在A5小票模板',
  TOO_MANY_GROUPS: `一个模板最多放${GROUPS_MOST}个板块`,
} as const
export type ReceiptRefusal = keyof typeof RECEIPT_REFUSALS

/** The tags of a text: divided by commas of either width; what ends with one has no empty last. */
export const tagsOf = (text: string): string[] =>
  text
    .split(/[,，]/)
    .map(tag => tag.trim())
    .filter(tag => tag !== '')

/** By a part of one of its tags; a blank word finds all. */
export function withTag<G extends { tags: string }>(groups: readonly G[], word: string): readonly G[] {
  const wanted = word.trim().toLowerCase()
  if (wanted === '') return groups
  return groups.filter(({ tags }) => tagsOf(tags).some(tag => tag.toLowerCase().includes(wanted)))
}

export type GroupForm = {
  name: string
  section: Section
  tags: string
  remarks: string
  items: ReceiptItem[]
}
type Broken = { code: ReceiptRefusal; field: string }

/** Broken rules in the order of the form. */
export function brokenIn({ name, tags, remarks, items }: GroupForm): Broken[] {
  const rules: readonly (readonly [boolean, string, ReceiptRefusal])[] = [
    [lengthOf(name) === 0, 'name', 'GROUP_NAME_REQUIRED'],
    [lengthOf(name) > GROUP_LIMITS.name, 'name', 'GROUP_NAME_TOO_LONG'],
    [lengthOf(tags) > GROUP_LIMITS.tags, 'tags', 'TAGS_TOO_LONG'],
    [lengthOf(remarks) > GROUP_LIMITS.remarks, 'remarks', 'REMARKS_TOO_LONG'],
    [items.some(({ label }) => lengthOf(label) > GROUP_LIMITS.label), 'items', 'LABEL_TOO_LONG'],
    [items.some(({ text }) => lengthOf(text) > GROUP_LIMITS.text), 'items', 'TEXT_TOO_LONG'],
  ]
  return rules.flatMap(([isBroken, field, code]) => (isBroken ? [{ code, field }] : []))
}

/** All items of a section, those that are there first and in their order; none of another section, none twice. */
export function completed(section: Section, items: readonly ReceiptItem[]): ReceiptItem[] {
  const own = items.filter(
    ({ id }, at) => catalogueItem(id)?.section === section && items.findIndex(item => item.id === id) === at,
  )
  const missing = itemsOf(section).filter(({ id }) => !own.some(item => item.id === id))
  return [...own, ...missing].map(item => {
    const required = item.required || catalogueItem(item.id)?.mustShow === true
    return { ...item, required, checked: item.checked || required }
  })
}

/** Why a group may not be put on this sheet, or null. */
export function refusePlacing(
  group: { id: number; section: Section },
  placed: readonly { groupId: number }[],
  sheet: Sheet,
): ReceiptRefusal | null {
  if (placed.some(({ groupId }) => groupId === group.id)) return 'CHOSEN_ALREADY'
  if (sheet === 'wide' && group.section === 'footer') return 'ROLL_ONLY'
  return placed.length >= GROUPS_MOST ? 'TOO_MANY_GROUPS' : null
}

/** The message with the name of the group before it, where it is about the group (D3 §5). */
export const placingMessage = (code: ReceiptRefusal, name: string): string =>
  code === 'ROLL_ONLY' ? `${name}${RECEIPT_REFUSALS[code]}` : RECEIPT_REFUSALS[code]

/** Why what a template would be saved with cannot stand so, whoever put it together; or null. */
export function refuseContent({ ordinary, wide }: ReceiptContent): ReceiptRefusal | null {
  const isTwice = [ordinary, wide].some(
    groups => new Set(groups.map(({ groupId }) => groupId)).size < groups.length,
  )
  return isTwice ? 'CHOSEN_ALREADY' : null
}

/** A group as a template takes it. */
export const placedOf = ({ id, name, section, items }: GroupForm & { id: number }): PlacedGroup => ({
  groupId: id,
  name,
  section,
  items: items.map(item => ({ ...item, checked: item.checked || item.required })),
})

/** After one was taken away: the first that is left is chosen, or none. */
export const chosenAfterRemoval = (left: readonly PlacedGroup[]): number | null => left[0]?.groupId ?? null

/** One of them before or behind another. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list]
  const [taken] = next.splice(from, 1)
  if (taken !== undefined) next.splice(Math.max(0, Math.min(to, next.length)), 0, taken)
  return next
}

/** As a template is kept: groups whole, the store's name large in the middle (D3 §5). What is not printed of it is said, not dropped. */
export function prepared(content: ReceiptContent): ReceiptContent {
  const whole = (groups: readonly PlacedGroup[]) =>
    withShopName(groups.map(group => ({ ...group, items: completed(group.section, group.items) })))
  return {
    enableMakeUp: content.enableMakeUp,
    ordinary: whole(content.ordinary),
    wide: whole(content.wide),
  }
}

export const checkedIds = ({ items }: { items: readonly ReceiptItem[] }): number[] =>
  items.filter(({ checked }) => checked).map(({ id }) => id)

/** What a group is now, in the order, with the checks, the picture and what else a template has of it. */
export function renewed(placed: PlacedGroup, group: GroupForm & { id: number }): PlacedGroup {
  const now = placedOf({ ...group, items: completed(group.section, group.items) })
  const at = (id: number) => {
    const index = placed.items.findIndex(item => item.id === id)
    return index < 0 ? Number.POSITIVE_INFINITY : index
  }
  const items = now.items
    .toSorted((a, b) => at(a.id) - at(b.id) || 0)
    .map(item => {
      const old = placed.items.find(({ id }) => id === item.id)
      const checked = item.required || (old?.checked ?? item.checked)
      const { picture, kept = item.kept } = old ?? {}
      return { ...item, checked, ...(picture && { picture }), ...(kept && { kept }) }
    })
  return { ...now, items, ...(placed.kept && { kept: placed.kept }) }
}

/** Whether the group was changed since a template took it: other items, names or texts. Their order is the template's own. */
export const isOutdated = (placed: PlacedGroup, group: GroupForm): boolean => {
  const told = ({ name, items }: { name: string; items: readonly ReceiptItem[] }) =>
    JSON.stringify([
      name,
      items
        .toSorted((a, b) => a.id - b.id)
        .map(({ id, required, label, text }) => [id, required, label, text]),
    ])
  return told(placed) !== told(group)
}

/** No group, or none with anything that is shown. */
export const isEmptyReceipt = ({ ordinary, wide }: ReceiptContent): boolean =>
  [...ordinary, ...wide].every(({ items }) => items.every(({ checked, required }) => !checked && !required))

/** What is wrong with a template, in words: not to be published as it is. */
export function faultsOfReceipt(content: ReceiptContent): string[] {
  const { ordinary, wide } = content
  if (ordinary.length === 0 && wide.length === 0) return ['没有任何板块']
  const sheets = { ordinary, wide } as const
  return (['ordinary', 'wide'] as const).flatMap(sheet => {
    const groups = sheets[sheet]
    if (groups.length === 0) return []
    const missing = (['basic', 'goods'] as const).filter(
      section => !groups.some(group => group.section === section),
    )
    const twice = groups.length !== new Set(groups.map(({ groupId }) => groupId)).size
    return [
      ...missing.map(
        section => `${SHEETS[sheet]}缺少${section === 'basic' ? '基本信息（单号、时间）' : '商品信息'}`,
      ),
      ...(twice ? [`${SHEETS[sheet]}有重复的板块`] : []),
      ...(sheet === 'wide' ? unprintedOn(content, 210) : []).map(
        ({ name }) => `${SHEETS.wide}不打印「${name}」：该板块只印在卷纸小票的最下方，请从${SHEETS.wide}移除`,
      ),
    ]
  })
}
