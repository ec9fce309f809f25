// What is still to come, taken back: the one button of it, its question and its answer.

import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import type { RowAction } from '#web/list/list-props.ts'
import { type DatedState, PRICE_REFUSALS } from './rules.ts'

type Asked = { id: number }
type Question = { title: string; text: string }

/** Takes a row back by `withdraw` once it is confirmed. */
export function useWithdraw(withdraw: (asked: Asked) => Promise<unknown>) {
  const withdrawing = useMutation({
    mutationFn: ({ id }: Asked) => withdraw({ id }),
    onSuccess: () => toast.success('已撤回'),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  return async (row: Asked, question: Question): Promise<void> => {
    if (await confirm({ ...question, confirmText: '撤回', danger: true })) withdrawing.mutate(row)
  }
}

export function withdrawAction(state: DatedState, onClick: () => void): RowAction {
  return { key: 'withdraw', label: '撤回', danger: true, disabled: refusalOf(state), onClick }
}

function refusalOf(state: DatedState): string | null {
  if (state === 'coming') return null
  return state === 'withdrawn' ? PRICE_REFUSALS.IS_WITHDRAWN : PRICE_REFUSALS.HAS_BEGUN
}
