// What is being changed on a receipt: its groups on both sheets, which one is chosen, and which checks are to be kept with their groups.
import { useState } from 'react'
import { refuseName, TEMPLATE_REFUSALS } from '#features/print/print-templates/rules.ts'
import {
  EMPTY_CONTENT,
  type PlacedGroup,
  type ReceiptContent,
  type ReceiptItem,
  type Sheet,
} from '#kit/print/receipt.ts'
import { toast } from '#web/controls/toast.ts'
import { type Form, useForm } from '#web/form/useForm.ts'
import { type GroupRow, type ReceiptDetails, receiptsApi } from './receiptsApi.tsx'
import {
  checkedIds,
  chosenAfterRemoval,
  moved,
  placedOf,
  placingMessage,
  refusePlacing,
  renewed,
} from './rules.ts'

export type Draft = {
  name: string
  industryIds: number[]
  content: ReceiptContent
  /** Groups whose checks were changed here, and on which sheet last. */
  toggled: Readonly<Record<string, Sheet>>
}

type Options = {
  receipt: ReceiptDetails | null
  groups: readonly GroupRow[]
  onDone: () => void
}

export function useReceiptForm({ receipt, groups, onDone }: Options): Form<Draft> {
  // No fields: a designer: what is drawn is its draft.
  return useForm<Draft>({
    initial: {
      name: receipt?.name ?? '',
      industryIds: receipt ? [...receipt.industryIds] : [],
      content: receipt?.content ?? EMPTY_CONTENT,
      toggled: {},
    },
    judge: ({ name }) => {
      const code = refuseName(name)
      return code ? { field: 'name', message: TEMPLATE_REFUSALS[code] } : null
    },
    send: async ({ toggled, ...draft }, idempotencyKey) => {
      const answer = await receiptsApi.save(
        {
          ...draft,
          id: receipt?.id ?? null,
          revision: receipt?.revision ?? null,
          groups: changedChecks(draft.content, toggled, groups),
        },
        { idempotencyKey },
      )
      if (!answer?.id) throw new Error('保存失败')
      for (const name of answer.staleGroups) toast.warning(`分组「${name}」已被他人修改，勾选没有写回分组`)
    },
    onDone: () => {
      toast.success('保存成功')
      onDone()
    },
  })
}

function changedChecks(
  content: ReceiptContent,
  toggled: Draft['toggled'],
  groups: readonly GroupRow[],
): { id: number; revision: number; checked: number[] }[] {
  return Object.entries(toggled).flatMap(([id, sheet]) => {
    const group = groups.find(row => row.id === Number(id))
    const placed = content[sheet].find(({ groupId }) => groupId === Number(id))
    return group && placed ? [{ id: group.id, revision: group.revision, checked: checkedIds(placed) }] : []
  })
}

type Chosen = Readonly<Record<Sheet, number | null>>

/** Which group was chosen last on each sheet. */
export const useChosen = (content: ReceiptContent) =>
  useState<Chosen>({
    ordinary: content.ordinary[0]?.groupId ?? null,
    wide: content.wide[0]?.groupId ?? null,
  })

/** The working list of a sheet. */
export function usePlaced(
  form: Form<Draft>,
  sheet: Sheet,
  [chosen, setChosen]: ReturnType<typeof useChosen>,
) {
  const { content } = form.draft
  const [said, setSaid] = useState('')
  const placed = content[sheet]
  const put = (groups: PlacedGroup[], toggled = form.draft.toggled) =>
    form.change({ content: { ...content, [sheet]: groups }, toggled })
  const choose = (id: number | null) => setChosen(known => ({ ...known, [sheet]: id }))
  const nameOf = (id: number) => placed.find(({ groupId }) => groupId === id)?.name ?? ''
  return {
    placed,
    said,
    chosen: placed.some(({ groupId }) => groupId === chosen[sheet]) ? chosen[sheet] : null,
    choose,
    add(group: GroupRow) {
      const code = refusePlacing(group, placed, sheet)
      if (code) return toast.error(placingMessage(code, group.name))
      put([...placed, placedOf(group)])
      choose(group.id)
      setSaid(`已添加${group.name}`)
    },
    remove(id: number) {
      const left = placed.filter(({ groupId }) => groupId !== id)
      put(left)
      choose(chosenAfterRemoval(left))
      setSaid(`已移除${nameOf(id)}`)
    },
    /** To the place of another. */
    moveTo(id: number, to: number) {
      const from = placed.findIndex(({ groupId }) => groupId === id)
      if (from < 0 || to < 0 || to >= placed.length || from === to) return
      put(moved(placed, from, to))
      choose(id)
      setSaid(`${nameOf(id)} 已移到第 ${to + 1} 位`)
    },
    check(id: number, itemId: number, checked: boolean) {
      const groups = placed.map(group =>
        group.groupId === id
          ? { ...group, items: group.items.map(item => (item.id === itemId ? { ...item, checked } : item)) }
          : group,
      )
      put(groups, { ...form.draft.toggled, [id]: sheet })
    },
    /** Of the group with this id; its group keeps its own order. */
    arrange(id: number, items: ReceiptItem[]) {
      put(placed.map(group => (group.groupId === id ? { ...group, items } : group)))
    },
    /** The picture of the logo; null: the shop's own. */
    draw(id: number, itemId: number, picture: string | null) {
      const items = (placed.find(({ groupId }) => groupId === id)?.items ?? []).map(item =>
        item.id === itemId ? { ...item, picture: picture ?? undefined } : item,
      )
      put(placed.map(group => (group.groupId === id ? { ...group, items } : group)))
    },
    /** Takes what the group is now, and keeps what is this template's own. */
    renew(group: GroupRow) {
      put(placed.map(old => (old.groupId === group.id ? renewed(old, group) : old)))
      setSaid(`${group.name} 已更新`)
    },
  }
}

export type Placing = ReturnType<typeof usePlaced>
