// Templates of labels and receipts, with the documents' capitalised bodies; kit/print reads and writes them.

import type { Label } from '#kit/print/label.ts'
import { LABEL_ITEMS } from '#kit/print/label-items.ts'
import { readLegacyLabel, writeLoadedLabel } from '#kit/print/legacy.ts'
import { small } from '#kit/print/legacy-rules.ts'
import { type PlacedGroup, RECEIPT_ITEMS, type ReceiptContent, SECTIONS } from '#kit/print/receipt.ts'
import {
  type GroupRecord,
  groupFromLegacy,
  groupToLoaded,
  templateFromLegacy,
  templateToLegacy,
} from '#kit/print/receipt-legacy.ts'
import { always, type Call, had, of, type Sent, type Step, type Taken, told } from '../call.ts'
import { instant, payload, picture, whole } from '../units.ts'

const LABELS = 'D3 §3 Label template, §5 Label designer, §7 Label templates'
const RECEIPTS = 'D3 §3 Receipt info group, §5 Receipt template editor, §7 Receipt groups and templates'
const TEMPLATE = of('tmpl_id|TemplateId|templateId|template_id', whole)
const GROUP = of('group_id|GroupId|groupId', whole)
const price = (name: string) => `/api/PriceTag/${name}`
const ticket = (room: string, name: string) => `/api/Ticket${room}/${name}`
const MOST = { size: always(100) } as const

type LabelRow = {
  id: number
  name: string
  isCustom: boolean
  industryIds: number[]
  content: Label
  createdAt: string
}

const loadedLabel = payload(
  'label template as it is loaded',
  sent => sent,
  answered => {
    const { id, name, isCustom, industryIds, content, createdAt } = answered as LabelRow
    const label = { ...content, background: content.background ? picture.write(content.background) : null }
    return {
      ...writeLoadedLabel({
        templateId: String(id),
        templateName: name,
        isCustom,
        industryIds: industryIds.map(String),
        label: label as Label,
      }),
      createTime: instant.write(createdAt),
    }
  },
)

const readLabel = (sent: Sent) => readLegacyLabel(sent)
const made = (words: string, make: (sent: Sent) => unknown): Taken => ({ made: make, words })

const LABEL = {
  name: made('TemplateName', sent => readLabel(sent).templateName),
  industryIds: made('IndustryIds', sent => readLabel(sent).industryIds.map(Number)),
  content: made('PricesTagItems', sent => {
    const { label } = readLabel(sent)
    return { ...label, background: label.background ? picture.read(label.background) : null }
  }),
} as const

type Kept<T> = {
  id: number
  name: string
  industryIds: number[]
  content: T
  createdAt: string
  updatedAt: string
  isCustom: boolean
}
const loadedReceipt = payload(
  'receipt template as it is loaded',
  sent => sent,
  answered => {
    const { id, name, industryIds, content, createdAt, updatedAt, isCustom } =
      answered as Kept<ReceiptContent>
    return {
      ...templateToLegacy({ id, name, industryIds, content }),
      isCustom,
      createTime: instant.write(createdAt),
      updateTime: instant.write(updatedAt),
    }
  },
)

type Group = Omit<GroupRecord, 'kept'> & { id: number }
const loadedGroup = payload(
  'receipt group as it is loaded',
  sent => sent,
  answered => groupToLoaded(answered as Group),
)

const group = (sent: Sent) => groupFromLegacy(sent)
const GROUP_FORM = {
  name: made('GroupName', sent => group(sent).name),
  tags: made('GroupTab', sent => group(sent).tags),
  remarks: made('Remarks', sent => group(sent).remarks),
  section: made('Items', sent => group(sent).section),
  items: made('Items', sent => group(sent).items),
} as const

const GROUPS: Step = { operation: 'receipts.groups', as: 'groups' }
/** A template that is saved names its groups; what stands in them is what the template has, else what the group has. */
const placed =
  (sheet: 'ordinary' | 'wide', field: string) => (sent: Sent, answers: Readonly<Record<string, unknown>>) => {
    const known = (answers.groups as { rows: readonly Group[] }).rows
    const before = (answers.kept as { content: ReceiptContent } | undefined)?.content[sheet] ?? []
    const given = small(sent as Record<string, unknown>)
    const told = templateFromLegacy({ templateName: '', ...given, industryIds: [] }).content[sheet]
    const sentRows = (given[field] ?? []) as readonly Record<string, unknown>[]
    return told.map((one, i): PlacedGroup => {
      const hasItems = Array.isArray(sentRows[i]?.items)
      const own = known.find(({ id }) => id === one.groupId)
      const items = hasItems
        ? one.items
        : (before.find(({ groupId }) => groupId === one.groupId)?.items ?? own?.items ?? [])
      return {
        groupId: one.groupId,
        name: own?.name ?? one.name,
        section: own?.section ?? one.section,
        items,
      }
    })
  }
const RECEIPT = {
  name: made('TemplateName', sent => templateFromLegacy(small(sent as Record<string, unknown>)).name),
  industryIds: made(
    'IndustryIds',
    sent => templateFromLegacy(small(sent as Record<string, unknown>)).industryIds,
  ),
  content: {
    all: {
      enableMakeUp: made(
        'EnableMakeUp',
        sent => templateFromLegacy(small(sent as Record<string, unknown>)).content.enableMakeUp,
      ),
      ordinary: { made: placed('ordinary', 'ticketItemGroups'), words: 'TicketItemGroups' },
      wide: { made: placed('wide', 'ticketItemGroups210'), words: 'TicketItemGroups210' },
    },
  },
} as const

export const PRINTS: readonly Call[] = [
  {
    name: 'PriceTag GetAllTemplates',
    methods: ['GET'],
    path: price('GetAllTemplates'),
    said: LABELS,
    chosen: 'The hundred that were changed last',
    envelope: 'values',
    does: {
      steps: [{ operation: 'labels.list', takes: MOST }],
      tells: { each: 'rows', of: told('', loadedLabel) },
    },
  },
  {
    name: 'PriceTag GetTemplateById',
    methods: ['GET'],
    path: price('GetTemplateById'),
    said: LABELS,
    envelope: 'values',
    does: {
      steps: [{ operation: 'labels.details', takes: { id: TEMPLATE } }],
      tells: told('last', loadedLabel),
    },
  },
  {
    name: 'PriceTag AddTemplate',
    methods: ['POST'],
    path: price('AddTemplate'),
    said: LABELS,
    chosen: 'Saved as a draft of the office: it reaches shops once it is published there',
    envelope: 'values',
    does: { steps: [{ operation: 'labels.save', takes: LABEL }], tells: told('id') },
  },
  {
    name: 'PriceTag UpdateTemplate',
    methods: ['POST'],
    path: price('UpdateTemplate'),
    said: LABELS,
    envelope: 'values',
    does: {
      steps: [
        { operation: 'labels.details', as: 'kept', takes: { id: TEMPLATE } },
        { operation: 'labels.save', takes: { ...LABEL, id: TEMPLATE, revision: had('kept.revision') } },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'PriceTag DeleteTemplate',
    methods: ['POST'],
    path: price('DeleteTemplate'),
    said: LABELS,
    envelope: 'values',
    does: { steps: [{ operation: 'labels.remove', takes: { id: TEMPLATE } }], tells: told('id') },
  },
  {
    name: 'PriceTagItem',
    methods: ['GET'],
    path: '/api/PriceTagItem',
    said: LABELS,
    chosen: 'What can be put on a label, of the product itself',
    envelope: 'values',
    does: {
      steps: [],
      tells: always(
        LABEL_ITEMS.map(({ key, name, group: of, kind }) => ({
          key,
          name,
          title: name,
          group: of,
          itemType: kind,
          isEnable: true,
        })),
      ),
    },
  },
  {
    name: 'TicketItemGroup GetAllGroups',
    methods: ['GET'],
    path: ticket('ItemGroup', 'GetAllGroups'),
    said: RECEIPTS,
    envelope: 'values',
    does: { steps: [{ operation: 'receipts.groups' }], tells: { each: 'rows', of: told('', loadedGroup) } },
  },
  {
    name: 'TicketItemGroup GetGroup',
    methods: ['GET'],
    path: ticket('ItemGroup', 'GetGroup'),
    said: RECEIPTS,
    envelope: 'values',
    does: {
      steps: [{ operation: 'receipts.groups', only: { of: 'rows', where: 'id', is: GROUP } }],
      tells: told('rows.0', loadedGroup),
    },
  },
  {
    name: 'TicketItemGroup AddGroup',
    methods: ['POST'],
    path: ticket('ItemGroup', 'AddGroup'),
    said: RECEIPTS,
    envelope: 'values',
    does: { steps: [{ operation: 'receipts.saveGroup', takes: GROUP_FORM }], tells: told('id') },
  },
  {
    name: 'TicketItemGroup UpdateGroup',
    methods: ['POST'],
    path: ticket('ItemGroup', 'UpdateGroup'),
    said: RECEIPTS,
    envelope: 'values',
    does: {
      steps: [
        { operation: 'receipts.groups', as: 'kept', only: { of: 'rows', where: 'id', is: GROUP } },
        {
          operation: 'receipts.saveGroup',
          takes: { ...GROUP_FORM, id: GROUP, revision: had('kept.rows.0.revision') },
        },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'TicketItemGroup DeleteGroup',
    methods: ['POST'],
    path: ticket('ItemGroup', 'DeleteGroup'),
    said: RECEIPTS,
    envelope: 'values',
    does: { steps: [{ operation: 'receipts.removeGroup', takes: { id: GROUP } }], tells: told('id') },
  },
  {
    name: 'TicketItem GetAllTicketItems',
    methods: ['GET'],
    path: ticket('Item', 'GetAllTicketItems'),
    said: RECEIPTS,
    envelope: 'values',
    does: {
      steps: [],
      tells: always(
        RECEIPT_ITEMS.map(({ id, name, section, mustShow = false }) => ({
          ticketItemId: id,
          name,
          group: SECTIONS[section],
          required: mustShow,
          checked: mustShow,
          fontSize: 9,
          alignment: 0,
        })),
      ),
    },
  },
  {
    name: 'TicketTemplate GetSystemTemplates',
    methods: ['GET'],
    path: ticket('Template', 'GetSystemTemplates'),
    said: RECEIPTS,
    chosen: 'The hundred that were changed last',
    envelope: 'values',
    does: {
      steps: [{ operation: 'receipts.list', takes: MOST }],
      tells: { each: 'rows', of: told('', loadedReceipt) },
    },
  },
  {
    name: 'TicketTemplate GetTemplate',
    methods: ['GET'],
    path: ticket('Template', 'GetTemplate'),
    said: RECEIPTS,
    envelope: 'values',
    does: {
      steps: [{ operation: 'receipts.details', takes: { id: TEMPLATE } }],
      tells: told('last', loadedReceipt),
    },
  },
  {
    name: 'TicketTemplate AddSystemTemplate',
    methods: ['POST'],
    path: ticket('Template', 'AddSystemTemplate'),
    said: RECEIPTS,
    chosen: 'A draft is made; with copy true that of TemplateId is copied',
    envelope: 'values',
    does: {
      steps: [
        { operation: 'receipts.copy', when: { sent: 'copy', is: ['true', '1'] }, takes: { id: TEMPLATE } },
        { ...GROUPS, when: { sent: 'copy', is: ['', 'false', '0'] } },
        { operation: 'receipts.save', when: { sent: 'copy', is: ['', 'false', '0'] }, takes: RECEIPT },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'TicketTemplate UpdateSystemTemplate',
    methods: ['POST'],
    path: ticket('Template', 'UpdateSystemTemplate'),
    said: RECEIPTS,
    chosen: 'Groups that are named alone keep what stands in them',
    envelope: 'values',
    does: {
      steps: [
        GROUPS,
        { operation: 'receipts.details', as: 'kept', takes: { id: TEMPLATE } },
        { operation: 'receipts.save', takes: { ...RECEIPT, id: TEMPLATE, revision: had('kept.revision') } },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'TicketTemplate DeleteSystemTemplate',
    methods: ['POST'],
    path: ticket('Template', 'DeleteSystemTemplate'),
    said: RECEIPTS,
    envelope: 'values',
    does: { steps: [{ operation: 'receipts.remove', takes: { id: TEMPLATE } }], tells: told('id') },
  },
]
