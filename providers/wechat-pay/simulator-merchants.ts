// Merchants that the simulated WeChat Pay has opened, with the account that money is settled to and the changes of it.
import { randomDigits } from './simulator-keys.ts'
import {
  counterOf,
  type Desk,
  dayOf,
  keep,
  type OnboardingBook,
  type SimAccount,
  type SimChange,
  type SimMerchant,
} from './simulator-onboarding-book.ts'
import { readChange } from './simulator-onboarding-checks.ts'
import { Refused, shanghai } from './simulator-orders.ts'

const CHANGES_A_DAY = 5

function merchantOf({ merchants }: OnboardingBook, mchid: string, subMchid: string): SimMerchant {
  const merchant = merchants.get(subMchid)
  if (merchant?.mchid !== mchid)
    throw new Refused(403, 'NO_AUTH', '商户号不是该服务商进件的特约商户', 268443701)
  return merchant
}

export function describeAccount(
  book: OnboardingBook,
  mchid: string,
  subMchid: string,
  query: URLSearchParams,
  now: Date,
): object {
  const merchant = merchantOf(book, mchid, subMchid)
  settle(book, merchant, now)
  return { ...describe(merchant.account, query), verify_result: 'VERIFY_SUCCESS' }
}

function describe(account: SimAccount, query: URLSearchParams): Record<string, string> {
  const isLong = query.get('account_number_rule') === 'ACCOUNT_NUMBER_RULE_MASK_V2'
  const [first, last] = isLong ? [6, 4] : [2, 2]
  const { number } = account
  return {
    account_type: account.type,
    account_bank: account.bank,
    ...(account.branchName && { bank_name: account.branchName }),
    ...(account.branchNumber && { bank_branch_id: account.branchNumber }),
    account_number: `${number.slice(0, first)}${'*'.repeat(Math.max(number.length - first - last, 1))}${number.slice(-last)}`,
  }
}

/** A change that was long enough under review holds, or was refused. */
function settle({ changeMs }: OnboardingBook, merchant: SimMerchant, now: Date): void {
  const last = merchant.changes.at(-1)
  if (last && last.refusal === null && now.getTime() - last.at >= changeMs) merchant.account = last.account
}

export function changeAccount(
  book: OnboardingBook,
  subMchid: string,
  body: unknown,
  desk: Desk,
): { application_no: string } {
  const merchant = merchantOf(book, desk.mchid, subMchid)
  settle(book, merchant, desk.now)
  const said = readChange(body, counterOf(book, desk), merchant.mayBePersonal)
  const today = merchant.changes.filter(({ at }) => dayOf(new Date(at)) === dayOf(desk.now))
  if (today.length >= CHANGES_A_DAY)
    throw new Refused(400, 'INVALID_REQUEST', '该商户当天修改结算账户次数已达上限，请第二天再发起修改')
  const last = merchant.changes.at(-1)
  if (last && desk.now.getTime() - last.at < book.changeMs)
    throw new Refused(400, 'INVALID_REQUEST', '存在审核中的结算账户修改申请，请等待审核结果')
  const of = (name: string) => String(said[name] ?? '')
  const change: SimChange = {
    changeId: `1023${randomDigits(12)}`,
    account: {
      type: of('account_type'),
      bank: of('account_bank'),
      branchName: of('bank_name'),
      branchNumber: of('bank_branch_id'),
      number: of('account_number'),
    },
    at: desk.now.getTime(),
    refusal: book.changeRefusals.shift() ?? null,
  }
  merchant.changes.push(change)
  keep(book)
  return { application_no: change.changeId }
}

export function describeChange(
  book: OnboardingBook,
  mchid: string,
  { subMchid, changeId }: { subMchid: string; changeId: string },
  query: URLSearchParams,
  now: Date,
): object {
  const merchant = merchantOf(book, mchid, subMchid)
  settle(book, merchant, now)
  const change = merchant.changes.find(one => one.changeId === changeId)
  if (!change) throw new Refused(404, 'RESOURCE_NOT_EXISTS', '修改申请单不存在')
  const isOver = now.getTime() - change.at >= book.changeMs
  const result = !isOver ? 'AUDITING' : change.refusal === null ? 'AUDIT_SUCCESS' : 'AUDIT_FAIL'
  return {
    ...describe(change.account, query),
    verify_result: result,
    ...(isOver && change.refusal !== null ? { verify_fail_reason: change.refusal } : {}),
    ...(isOver ? { verify_finish_time: shanghai(new Date(change.at + book.changeMs)) } : {}),
  }
}
