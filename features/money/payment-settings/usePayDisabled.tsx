import { useSession } from '#web/client/session.ts'
import { REFUSALS } from './rules.ts'

/** Why no account can be set: the vendor's own people are not told to ask the vendor. Null where one can. */
export function usePayDisabled({ payEnabled }: { payEnabled: boolean }): string | null {
  const { isOperator, isVendorStaff } = useSession()
  if (payEnabled) return null
  if (isVendorStaff && !isOperator) return '暂未开通在线收款，请联系运营商的管理员'
  return isOperator ? '暂未开通在线收款，可在“代理商”中为本公司开收款' : REFUSALS.PAY_DISABLED
}
