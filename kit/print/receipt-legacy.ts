// The documents' payloads of groups and templates (D3 §3, §9), read and written here alone. What still means the same is given back as it
// was, also what we know nothing of (`kept`).
import { z } from 'zod'
import { pictureAddress } from '../picture.ts'
import { capital, type Raw, small } from './legacy-rules.ts'
import {
  type Alignment,
  catalogueItem,
  type FontSize,
  type PlacedGroup,
  type ReceiptContent,
  type ReceiptItem,
  SECTION_KEYS,
  SECTIONS,
  type Section,
} from './receipt.ts'

const flag = z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean)
const text = z
  .string()
  .nullish()
  .transform(value => value ?? '')

const LegacyItem = z.object({
  ticketItemId: z.coerce.number().int().positive(),
  name: text,
  required: flag.default(false),
  checked: flag.default(false),
  fontSize: z.coerce.number().int().min(0).max(72).default(9),
  alignment: z.coerce.number().int().min(0).max(2).default(0),
  marginBottom: z.coerce.number().int().min(0).max(60).default(0),
  label: text,
  val: text,
  resource: z.unknown().optional(),
})
const raw = z.record(z.string(), z.unknown())
/** As it was beside what it means. */
const Item = raw.transform(kept => ({ kept, told: LegacyItem.parse(kept) }))
const LegacyGroup = z.object({
  groupId: z.coerce.number().int().positive().nullable().default(null),
  groupName: z.string(),
  groupTab: text,
  remarks: text,
  items: z.array(Item).default([]),
})
const PlacedLegacy = z.object({
  groupId: z.coerce.number().int().positive(),
  groupName: text,
  items: z.array(Item).default([]),
})
const Placed = raw.transform(kept => ({ kept, told: PlacedLegacy.parse(kept) }))
const LegacyTemplate = z.object({
  templateId: z.coerce.number().int().positive().nullable().default(null),
  templateName: z.string(),
  industryIds: z.array(z.coerce.number().int().positive()).default([]),
  ticketItemGroups: z.array(Placed).default([]),
  ticketItemGroups210: z.array(Placed).default([]),
  enableMakeUp: flag.default(false),
})

export type GroupRecord = {
  id: number | null
  name: string
  tags: string
  remarks: string
  section: Section
  items: ReceiptItem[]
  kept?: Raw
}
export type TemplateRecord = {
  id: number | null
  name: string
  industryIds: number[]
  content: ReceiptContent
  kept?: Raw
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What was read once, with what means something else by now; `meant` is how it would have been written then. */
const changedIn = (kept: Raw | undefined, meant: (kept: Raw) => Raw, now: Raw): Raw => {
  if (!kept) return now
  const before = meant(kept)
  const changed = Object.entries(now).filter(([name, value]) => !same(before[name], value))
  const others = Object.entries(kept).filter(([name]) => !(name in before) || name in now)
  return { ...Object.fromEntries(others), ...Object.fromEntries(changed) }
}

/** Sizes other than the two that there are become the nearest. */
const sizeOf = (size: number): FontSize => (size === 0 ? 0 : size < 11 ? 9 : 12)

type ToldItem = z.output<typeof Item>

/** A `resource` that is an upload of ours is a picture; any other comes back as it was. */
const UPLOAD = /^\/api\/files\/([\da-f-]{36})$/

/** Null: an item that the catalogue does not have. */
function itemFrom({ told: legacy, kept }: ToldItem): ReceiptItem | null {
  const entry = catalogueItem(legacy.ticketItemId)
  if (!entry) return null
  const required = legacy.required || entry.mustShow === true
  const picture = UPLOAD.exec(String(legacy.resource))?.[1]
  return {
    id: entry.id,
    required,
    checked: legacy.checked || required,
    fontSize: sizeOf(legacy.fontSize),
    alignment: legacy.alignment as Alignment,
    marginBottom: legacy.marginBottom,
    label: legacy.label === entry.name ? '' : legacy.label,
    text: legacy.val,
    ...(picture && { picture }),
    kept,
  }
}

const itemsFrom = (told: readonly ToldItem[]): ReceiptItem[] => told.flatMap(each => itemFrom(each) ?? [])

/** Items that the catalogue does not have, with their places. */
const unknownIn = (told: readonly ToldItem[]): [at: number, item: Raw][] =>
  told.flatMap((each, at) => (itemFrom(each) ? [] : [[at, each.kept] satisfies [number, Raw]]))

/** The documents have no section: a group has that of its name, or that of most of its items. */
export function sectionOf(name: string, items: readonly ReceiptItem[]): Section {
  const named = SECTION_KEYS.find(key => SECTIONS[key] === name)
  if (named) return named
  const counts = SECTION_KEYS.map(key => items.filter(({ id }) => catalogueItem(id)?.section === key).length)
  return SECTION_KEYS[counts.indexOf(Math.max(...counts))] ?? 'other'
}

const writtenItem = ({ id, text: val, picture, kept: _kept, ...shown }: ReceiptItem): Raw => ({
  ...{ ticketItemId: id, name: catalogueItem(id)?.name ?? '' },
  ...{ ...shown, val },
  ...(picture && { resource: pictureAddress(picture) }),
})

const itemTo = (item: ReceiptItem): Raw =>
  changedIn(
    item.kept,
    kept => writtenItem(itemFrom({ kept, told: LegacyItem.parse(kept) }) as ReceiptItem),
    writtenItem(item),
  )

/** Where `kept` has them, items that the catalogue does not have. */
const OTHERS = 'unknown items'

/** A group that we keep is whole: what a payload left out is not told of until somebody shows it. */
const isTold = ({ kept, checked, required }: ReceiptItem): boolean =>
  kept !== undefined || checked || required

function itemsTo(items: readonly ReceiptItem[], kept: Raw | undefined): Raw[] {
  const all = (kept ? items.filter(isTold) : items).map(itemTo)
  for (const [at, item] of (kept?.[OTHERS] ?? []) as [number, Raw][]) all.splice(at, 0, item)
  return all
}

const keptOf = ({ items: _items, ...kept }: Raw, told: readonly ToldItem[]): Raw => {
  const others = unknownIn(told)
  return others.length > 0 ? { ...kept, [OTHERS]: others } : kept
}

/** As it is answered (groupName) and as it is sent (GroupName). */
export function groupFromLegacy(payload: unknown): GroupRecord {
  const given = small(raw.parse(payload))
  const { groupId, groupName, groupTab, remarks, items: told } = LegacyGroup.parse(given)
  const items = itemsFrom(told)
  const section = sectionOf(groupName, items)
  const facts = { id: groupId, name: groupName, tags: groupTab, remarks, section }
  return { ...facts, items, kept: keptOf(given, told) }
}

const writtenGroup = ({ id, name, tags, remarks }: GroupRecord): Raw => ({
  ...(id !== null && { groupId: id }),
  ...{ groupName: name, groupTab: tags, remarks },
})

/** As it is answered. */
export function groupToLoaded(group: GroupRecord): Raw {
  const written = changedIn(group.kept, kept => writtenGroup(groupFromLegacy(kept)), writtenGroup(group))
  const { [OTHERS]: _others, ...facts } = written
  return { ...facts, items: itemsTo(group.items, group.kept) }
}

/** As it is sent. */
export const groupToLegacy = (group: GroupRecord): Raw => capital(groupToLoaded(group))

function placedFrom({ kept, told }: z.output<typeof Placed>): PlacedGroup {
  const { groupId, groupName } = told
  const items = itemsFrom(told.items)
  const section = sectionOf(groupName, items)
  return { groupId, name: groupName, section, items, kept: keptOf(kept, told.items) }
}

const writtenPlaced = ({ groupId, name }: PlacedGroup): Raw => ({ groupId, groupName: name })

function placedTo(group: PlacedGroup): Raw {
  const { [OTHERS]: _others, ...facts } = changedIn(
    group.kept,
    kept => writtenPlaced(placedFrom({ kept, told: PlacedLegacy.parse(kept) })),
    writtenPlaced(group),
  )
  return { ...facts, items: itemsTo(group.items, group.kept) }
}

export function templateFromLegacy(payload: unknown): TemplateRecord {
  const told = LegacyTemplate.parse(payload)
  const { ticketItemGroups: _ordinary, ticketItemGroups210: _wide, ...kept } = raw.parse(payload)
  return {
    id: told.templateId,
    name: told.templateName,
    industryIds: told.industryIds,
    content: {
      enableMakeUp: told.enableMakeUp,
      ordinary: told.ticketItemGroups.map(placedFrom),
      wide: told.ticketItemGroups210.map(placedFrom),
    },
    kept,
  }
}

const writtenTemplate = ({ id, name, industryIds, content }: TemplateRecord): Raw => ({
  ...(id !== null && { templateId: id }),
  ...{ templateName: name, industryIds, enableMakeUp: content.enableMakeUp },
})

export function templateToLegacy(record: TemplateRecord): Raw {
  const { ordinary, wide } = record.content
  return {
    ...changedIn(record.kept, kept => writtenTemplate(templateFromLegacy(kept)), writtenTemplate(record)),
    ticketItemGroups: ordinary.map(placedTo),
    ticketItemGroups210: wide.map(placedTo),
  }
}

/** What UpdateSystemTemplate is sent: groups are named, not told (D3 §9). */
export function updateToLegacy(record: TemplateRecord): Raw {
  const named = (placed: readonly PlacedGroup[]) =>
    placed.map(({ groupId }) => ({ groupId, templateId: record.id }))
  return {
    ...templateToLegacy(record),
    ticketItemGroups: named(record.content.ordinary),
    ticketItemGroups210: named(record.content.wide),
  }
}
