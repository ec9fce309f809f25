// The documents' payloads of groups and templates (D3 §3, §9), read and written here alone.
import { z } from 'zod'
import { pictureAddress } from '../picture.ts'
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

const LegacyItem = z.looseObject({
  ticketItemId: z.coerce.number().int().positive(),
  name: text,
  required: flag.default(false),
  checked: flag.default(false),
  fontSize: z.coerce.number().int().min(0).max(72).default(9),
  alignment: z.coerce.number().int().min(0).max(2).default(0),
  marginBottom: z.coerce.number().int().min(0).max(60).default(0),
  label: text,
  val: text,
})
const LegacyGroup = z.object({
  GroupId: z.coerce.number().int().positive().nullable().default(null),
  GroupName: z.string(),
  GroupTab: text,
  Remarks: text,
  Items: z.array(LegacyItem).default([]),
})
const PlacedLegacy = z.object({
  groupId: z.coerce.number().int().positive(),
  groupName: text,
  items: z.array(LegacyItem).default([]),
})
const LegacyTemplate = z.object({
  templateId: z.coerce.number().int().positive().nullable().default(null),
  templateName: z.string(),
  industryIds: z.array(z.coerce.number().int().positive()).default([]),
  ticketItemGroups: z.array(PlacedLegacy).default([]),
  ticketItemGroups210: z.array(PlacedLegacy).default([]),
  enableMakeUp: flag.default(false),
})

export type GroupRecord = {
  id: number | null
  name: string
  tags: string
  remarks: string
  section: Section
  items: ReceiptItem[]
}
export type TemplateRecord = {
  id: number | null
  name: string
  industryIds: number[]
  content: ReceiptContent
}

/** Sizes other than the two that there are become the nearest. */
const sizeOf = (size: number): FontSize => (size === 0 ? 0 : size < 11 ? 9 : 12)

const KNOWN = new Set(Object.keys(LegacyItem.shape))
const UPLOAD = /^\/api\/files\/([\da-f-]{36})$/

/** `resource` is a picture where it is an upload of ours; it and all else that is not understood comes back as it was. */
function restOf(legacy: z.output<typeof LegacyItem>): Pick<ReceiptItem, 'picture' | 'kept'> {
  const { resource, ...others } = Object.fromEntries(
    Object.entries(legacy).filter(([key]) => !KNOWN.has(key)),
  )
  const picture = UPLOAD.exec(String(resource))?.[1]
  const kept = picture || resource === undefined ? others : { resource, ...others }
  return { ...(picture && { picture }), ...(Object.keys(kept).length > 0 && { kept }) }
}

function itemFrom(legacy: z.output<typeof LegacyItem>): ReceiptItem[] {
  const entry = catalogueItem(legacy.ticketItemId)
  if (!entry) return []
  const required = legacy.required || entry.mustShow === true
  return [
    {
      id: entry.id,
      required,
      checked: legacy.checked || required,
      fontSize: sizeOf(legacy.fontSize),
      alignment: legacy.alignment as Alignment,
      marginBottom: legacy.marginBottom,
      label: legacy.label === entry.name ? '' : legacy.label,
      text: legacy.val,
      ...restOf(legacy),
    },
  ]
}

/** The documents have no section: a group has that of its name, or that of most of its items. */
export function sectionOf(name: string, items: readonly ReceiptItem[]): Section {
  const named = SECTION_KEYS.find(key => SECTIONS[key] === name)
  if (named) return named
  const counts = SECTION_KEYS.map(key => items.filter(({ id }) => catalogueItem(id)?.section === key).length)
  return SECTION_KEYS[counts.indexOf(Math.max(...counts))] ?? 'other'
}

const itemTo = ({
  id,
  required,
  checked,
  fontSize,
  alignment,
  marginBottom,
  label,
  text: val,
  picture,
  kept,
}: ReceiptItem) => ({
  ...kept,
  ticketItemId: id,
  name: catalogueItem(id)?.name ?? '',
  ...{ required, checked, fontSize, alignment, marginBottom, label, val },
  ...(picture && { resource: pictureAddress(picture) }),
})

export function groupFromLegacy(payload: unknown): GroupRecord {
  const { GroupId, GroupName, GroupTab, Remarks, Items } = LegacyGroup.parse(payload)
  const items = Items.flatMap(itemFrom)
  const section = sectionOf(GroupName, items)
  return { id: GroupId, name: GroupName, tags: GroupTab, remarks: Remarks, section, items }
}

export function groupToLegacy({ id, name, tags, remarks, items }: GroupRecord) {
  return {
    ...(id !== null && { GroupId: id }),
    ...{ GroupName: name, GroupTab: tags, Remarks: remarks, Items: items.map(itemTo) },
  }
}

const placedFrom = ({ groupId, groupName, items: told }: z.output<typeof PlacedLegacy>): PlacedGroup => {
  const items = told.flatMap(itemFrom)
  return { groupId, name: groupName, section: sectionOf(groupName, items), items }
}

export function templateFromLegacy(payload: unknown): TemplateRecord {
  const told = LegacyTemplate.parse(payload)
  return {
    id: told.templateId,
    name: told.templateName,
    industryIds: told.industryIds,
    content: {
      enableMakeUp: told.enableMakeUp,
      ordinary: told.ticketItemGroups.map(placedFrom),
      wide: told.ticketItemGroups210.map(placedFrom),
    },
  }
}

export function templateToLegacy({ id, name, industryIds, content }: TemplateRecord) {
  const groups = (placed: readonly PlacedGroup[]) =>
    placed.map(group => ({ groupId: group.groupId, groupName: group.name, items: group.items.map(itemTo) }))
  return {
    ...(id !== null && { templateId: id }),
    templateName: name,
    industryIds,
    ticketItemGroups: groups(content.ordinary),
    ticketItemGroups210: groups(content.wide),
    enableMakeUp: content.enableMakeUp,
  }
}

/** What UpdateSystemTemplate is sent: groups are named, not told (D3 §9). */
export function updateToLegacy(record: TemplateRecord) {
  const named = (placed: readonly PlacedGroup[]) =>
    placed.map(({ groupId }) => ({ groupId, templateId: record.id }))
  return {
    ...templateToLegacy(record),
    ticketItemGroups: named(record.content.ordinary),
    ticketItemGroups210: named(record.content.wide),
  }
}
