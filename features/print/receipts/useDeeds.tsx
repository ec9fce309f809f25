import { useMutation } from '@tanstack/react-query'
import { messageOf, newKey, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { type GroupRow, receiptsApi } from './receiptsApi.tsx'

type Named = { id: number; name: string }

const failed = (words: string) => (error: unknown) => {
  toast.error(refusalOf(error) ? messageOf(error) : words)
  readAgain('receipts')
}

/** Copying, deleting and bringing back, with the words of the documents (D3 §8). */
export function useDeeds() {
  const copy = useMutation({
    mutationFn: ({ id }: Named) => receiptsApi.copy({ id }, { idempotencyKey: newKey() }),
    onSuccess: async ({ id }) => {
      if (id) toast.success('复制成功')
      else toast.error('复制失败')
      await reread()
    },
    onError: failed('复制失败'),
  })
  const undelete = useMutation({
    mutationFn: ({ id }: Named) => receiptsApi.undelete({ id }),
    onSuccess: async () => {
      toast.success('恢复成功')
      await reread()
    },
    onError: failed('恢复失败'),
  })
  return {
    copy: (row: Named) => {
      if (!copy.isPending) copy.mutate(row)
    },
    undelete: (row: Named) => undelete.mutate(row),
    remove: (row: Named) => void removeTemplate(row),
    removeGroup: (row: GroupRow) => void removeGroup(row),
  }
}

async function removeTemplate({ id, name }: Named): Promise<void> {
  const question = {
    title: `删除小票模板「${name}」`,
    text: '此操作将永久删除该小票模板, 是否继续?',
    confirmText: '删除模板',
    danger: true,
  }
  if (!(await confirm(question))) return toast.info('已取消删除')
  try {
    await receiptsApi.remove({ id, endsUse: false })
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal?.code !== 'IN_USE') return failed('删除失败')(error)
    const again = { ...question, title: `「${name}」正在使用`, text: `${refusal.message}。是否继续?` }
    if (!(await confirm({ ...again, confirmText: '停用并删除' }))) return toast.info('已取消删除')
    try {
      await receiptsApi.remove({ id, endsUse: true })
    } catch (second) {
      return failed('删除失败')(second)
    }
  }
  toast.success('删除成功')
  await reread()
}

async function removeGroup({ id, name }: GroupRow): Promise<void> {
  const question = {
    title: `删除小票信息分组「${name}」`,
    text: '此操作将永久删除该小票信息分组, 是否继续?',
    confirmText: '删除分组',
    danger: true,
  }
  if (!(await confirm(question))) return toast.info('已取消删除')
  try {
    await receiptsApi.removeGroup({ id })
    toast.success('删除成功')
    await reread()
  } catch (error) {
    failed('删除失败')(error)
  }
}
