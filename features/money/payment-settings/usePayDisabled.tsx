import { useSession } from '#web/client/session.ts'
import { REFUSALS } from './rules.ts'

/** Why no account can be set: the operator is told what to do, since it is who the others are told to ask. Null where one can. */
export function usePayDisabled({ payEnabled }: { payEnabled: boolean }): string | null {
  const { isOperator } = useSession()
  if (payEnabled) return null
  return isOperator ? '暂未开通在线收款，可在“代理商”中为本公司开收款' : REFUSALS.PAY_DISABLED
}
