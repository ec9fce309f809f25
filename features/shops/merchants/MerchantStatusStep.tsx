import { useMutation } from '@tanstack/react-query'
import { api, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import type { merchants } from './contract.ts'
import type { MerchantStatus } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')

type Shop = { id: number; shopName: string; status: MerchantStatus }
export type StepAction = 'enable' | 'disable'

export const STEP_WORDS: Record<StepAction, string> = { enable: '启用', disable: '禁用' }

const EFFECTS: Record<StepAction, string> = {
  enable: '启用后可以继续编辑该商户，为其升级和购买服务。',
  disable: '禁用后不能编辑该商户，也不能为其升级和购买服务，可随时重新启用。',
}

/** What can be done with the status now. */
export function stepOf(status: MerchantStatus): StepAction {
  return status === 'normal' ? 'disable' : 'enable'
}

/** Asks once, naming the shop, then enables or disables it (D1 §4). */
export function useStatusStep() {
  const step = useMutation({
    mutationFn: ({ id, status }: Shop) => merchantsApi[stepOf(status)]({ id }),
    onSuccess: (_answer, { status }) => toast.success(`${STEP_WORDS[stepOf(status)]}成功`),
    onError: error => {
      const refusal = refusalOf(error)
      if (refusal) toast.error(refusal.message)
    },
    onSettled: (_answer, error) => (error ? readAgain('merchants') : reread()),
  })
  const ask = async (shop: Shop) => {
    const action = stepOf(shop.status)
    const agreed = await confirm({
      title: `${STEP_WORDS[action]}「${shop.shopName}」？`,
      text: `商户 ID ${shop.id}。${EFFECTS[action]}`,
      confirmText: STEP_WORDS[action],
      danger: action === 'disable',
    })
    if (agreed) step.mutate(shop)
  }
  return { ask: (shop: Shop) => void ask(shop), busy: step.isPending }
}
