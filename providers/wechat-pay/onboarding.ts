// WeChat Pay's onboarding of shops by a service provider (特约商户进件, applyment4sub), the change of their settlement account and
// the bank directory (capitallhh). [D] field names, states, limits and the messages that the table of troubles knows, as the
// pages of the partner documentation have them. [K] to be confirmed with real credentials: how long a media id lives (ask for
// new ones where a picture is said to be invalid); whether a change of account wants the division; the code of the fifth change of a day.
import { z } from 'zod'
import {
  type AccountChangeFact,
  type AccountChangeState,
  type AccountFact,
  type AccountKind,
  type Bank,
  type BankDirectory,
  DIRECTORY_PAGE_MAX,
  type DirectoryPage,
  type DirectoryWindow,
  type OnboardingDesk,
  type OnboardingFact,
  PICTURE_BYTES_MAX,
} from '#kit/ports/onboarding.ts'
import { ProviderRefused, ProviderUnknown, type Surroundings } from '#kit/ports/providers.ts'
import { makePace } from '#providers/pace.ts'
import type { WechatPaySettings } from './client.ts'
import { accountBody, applicationBody } from './onboarding-body.ts'
import { ACCOUNT_TYPES, fieldOf, keyOf, placeOf, STATES } from './onboarding-fields.ts'
import { troubleOf } from './onboarding-troubles.ts'
import { SETTLEMENT_CATEGORIES } from './settlement-categories.ts'
import { isCode, makeTransport, readShape, type Transport } from './transport.ts'
import { readApiV3Key } from './wire.ts'

/** The service takes 15 calls a second; what is under way on the line may come closer together than it left. */
const CALLS_PER_SECOND = 12
const UPLOAD_TYPES = [
  { suffix: 'png', type: 'image/png', begins: [0x89, 0x50, 0x4e, 0x47] },
  { suffix: 'jpg', type: 'image/jpeg', begins: [0xff, 0xd8, 0xff] },
  { suffix: 'bmp', type: 'image/bmp', begins: [0x42, 0x4d] },
]

const Application = z.object({
  business_code: z.string(),
  applyment_id: z.union([z.number().int(), z.string().min(1)]),
  sub_mchid: z.string().nullish(),
  sign_url: z.string().nullish(),
  applyment_state: z.string(),
  applyment_state_msg: z.string().nullish(),
  audit_detail: z
    .array(
      z.object({
        field: z.string().default(''),
        field_name: z.string().default(''),
        reject_reason: z.string().default(''),
      }),
    )
    .nullish(),
})
const Account = z.object({
  account_type: z.string(),
  account_bank: z.string(),
  bank_name: z.string().nullish(),
  bank_branch_id: z.string().nullish(),
  account_number: z.string(),
  verify_result: z.string(),
  verify_fail_reason: z.string().nullish(),
})
const Change = z.object({
  account_number: z.string(),
  verify_result: z.string(),
  verify_fail_reason: z.string().nullish(),
  verify_finish_time: z.string().nullish(),
})
const code = z.union([z.number().int(), z.string().min(1)]).transform(String)
const Banks = z.object({
  total_count: z.number().int(),
  data: z
    .array(
      z.object({
        bank_alias: z.string(),
        bank_alias_code: code,
        account_bank: z.string(),
        need_bank_branch: z.boolean(),
      }),
    )
    .nullish(),
})
const Branches = z.object({
  total_count: z.number().int(),
  data: z.array(z.object({ bank_branch_name: z.string(), bank_branch_id: code })).nullish(),
})
const Provinces = z.object({ data: z.array(z.object({ province_name: z.string(), province_code: code })) })
const Cities = z.object({ data: z.array(z.object({ city_name: z.string(), city_code: code })).nullish() })

const ACCOUNT_STANDINGS: Record<string, AccountFact['verification']> = {
  VERIFYING: 'verifying',
  VERIFY_SUCCESS: 'verified',
  VERIFY_FAIL: 'failed',
}
const CHANGE_STATES: Record<string, AccountChangeState> = {
  AUDITING: 'auditing',
  AUDIT_SUCCESS: 'done',
  AUDIT_FAIL: 'refused',
}

/**
 * Null where the account is a merchant's, who can bring in no shops. Throws at once where a key cannot be read. `turn`: what each call
 * waits for.
 */
export function makeOnboarding(
  settings: WechatPaySettings,
  surroundings: Surroundings,
  turn: () => Promise<void> = makePace({ perSecond: CALLS_PER_SECOND }),
): OnboardingDesk | null {
  const { merchant } = settings
  if (merchant.kind === 'direct') return null
  const apiV3Key = readApiV3Key(settings.apiV3Key)
  const open = makeTransport({ ...settings, mchid: merchant.spMchid, apiV3Key }, surroundings)
  const transport: Transport = {
    ...open,
    send: (...call) => turn().then(() => open.send(...call)),
    upload: (...call) => turn().then(() => open.upload(...call)),
  }
  return {
    name: 'wechat',
    directory: makeDirectory(transport),
    categories: SETTLEMENT_CATEGORIES,
    upload: picture => upload(transport, Buffer.from(picture)),
    async submit(application) {
      const sealer = await transport.sealer()
      const answer = await transport.send(
        'POST',
        '/v3/applyment4sub/applyment/',
        applicationBody(application, sealer),
        sealer.serial,
      )
      const { applyment_id: id } = readShape(Application.pick({ applyment_id: true }), answer)
      return { serviceId: String(id) }
    },
    ask: businessCode => ask(transport, businessCode),
    accountOf: subMerchantId => accountOf(transport, subMerchantId),
    async changeAccount(subMerchantId, account) {
      const sealer = await transport.sealer()
      const answer = await transport.send(
        'POST',
        `${merchantPath(subMerchantId)}/modify-settlement`,
        accountBody(account, sealer),
        sealer.serial,
      )
      return { changeId: readShape(z.object({ application_no: z.string().min(1) }), answer).application_no }
    },
    askChange: (subMerchantId, changeId) => askChange(transport, subMerchantId, changeId),
    troubleOf,
  }
}

async function upload(transport: Transport, bytes: Buffer): Promise<string> {
  const kind = UPLOAD_TYPES.find(({ begins }) => begins.every((byte, place) => bytes[place] === byte))
  if (!kind) throw new ProviderRefused('PARAM_ERROR', '图片只支持JPG、BMP、PNG格式')
  if (bytes.length > PICTURE_BYTES_MAX) throw new ProviderRefused('PARAM_ERROR', '图片文件大小不能超过2M')
  const file = { name: `picture.${kind.suffix}`, type: kind.type, bytes }
  const answer = await transport.upload('/v3/merchant/media/upload', file)
  return readShape(z.object({ media_id: z.string().min(1) }), answer).media_id
}

async function ask(transport: Transport, businessCode: string): Promise<OnboardingFact | null> {
  const path = `/v3/applyment4sub/applyment/business_code/${encodeURIComponent(businessCode)}`
  try {
    return factOf(readShape(Application, await transport.send('GET', path)), businessCode)
  } catch (error) {
    if (error instanceof ProviderRefused && isUnknownThere(error)) return null
    throw error
  }
}

function isUnknownThere({ code, message }: ProviderRefused): boolean {
  return (
    isCode(code, 'APPLYMENT_NOT_EXIST', 'RESOURCE_NOT_EXISTS') ||
    (isCode(code, 'PARAM_ERROR') && /未能找到申请单|申请单不存在/.test(message))
  )
}

function factOf(application: z.infer<typeof Application>, businessCode: string): OnboardingFact {
  const { applyment_state: name, audit_detail: refusals } = application
  if (application.business_code !== businessCode)
    throw new ProviderUnknown('the answer is about another application')
  const state = STATES[name]
  if (!state) throw new ProviderUnknown(`the answer names the unknown state ${name}`)
  const subMerchantId = application.sub_mchid || null
  if (state === 'finished' && subMerchantId === null)
    throw new ProviderUnknown('the application is finished and names no merchant')
  return {
    businessCode,
    serviceId: String(application.applyment_id),
    state,
    message: application.applyment_state_msg ?? '',
    signUrl: application.sign_url || null,
    subMerchantId,
    refusals: (refusals ?? []).map(one => ({
      ...{ field: fieldOf(one.field), ...placeOf(one.field) },
      name: one.field_name || one.field,
      reason: one.reject_reason,
    })),
  }
}

const merchantPath = (subMerchantId: string) =>
  `/v3/apply4sub/sub_merchants/${encodeURIComponent(subMerchantId)}`
/** The first six and the last four digits are told. */
const MASKED = 'account_number_rule=ACCOUNT_NUMBER_RULE_MASK_V2'

async function accountOf(transport: Transport, subMerchantId: string): Promise<AccountFact> {
  const answer = await transport.send('GET', `${merchantPath(subMerchantId)}/settlement?${MASKED}`)
  const account = readShape(Account, answer)
  const kind = keyOf<AccountKind>(ACCOUNT_TYPES, account.account_type)
  const verification = ACCOUNT_STANDINGS[account.verify_result]
  if (!kind || !verification)
    throw new ProviderUnknown(`the account is ${account.account_type} and ${account.verify_result}`)
  return {
    kind,
    bank: account.account_bank,
    branchName: account.bank_name || null,
    branchNumber: account.bank_branch_id || null,
    numberMasked: account.account_number,
    verification,
    reason: account.verify_fail_reason ?? '',
  }
}

async function askChange(
  transport: Transport,
  subMerchantId: string,
  changeId: string,
): Promise<AccountChangeFact> {
  const path = `${merchantPath(subMerchantId)}/application/${encodeURIComponent(changeId)}?${MASKED}`
  const change = readShape(Change, await transport.send('GET', path))
  const state = CHANGE_STATES[change.verify_result]
  if (!state) throw new ProviderUnknown(`the change is ${change.verify_result}`)
  const at = Date.parse(change.verify_finish_time ?? '')
  return {
    state,
    reason: change.verify_fail_reason ?? '',
    numberMasked: change.account_number,
    finishedAt: Number.isNaN(at) ? null : new Date(at).toISOString(),
  }
}

const DIRECTORY = '/v3/capital/capitallhh'

function makeDirectory(transport: Transport): BankDirectory {
  const get = (path: string) => transport.send('GET', `${DIRECTORY}/${path}`)
  return {
    async banks(kind, window) {
      const list = kind === 'corporate' ? 'corporate-banking' : 'personal-banking'
      const { total_count: total, data } = readShape(Banks, await get(`banks/${list}?${pageOf(window)}`))
      return { rows: (data ?? []).map(bankOf), total }
    },
    async banksOfNumber(accountNumber) {
      const { serial, seal } = await transport.sealer()
      const query = new URLSearchParams({ account_number: seal(accountNumber) })
      const target = `${DIRECTORY}/banks/search-banks-by-bank-account?${query}`
      const { data } = readShape(Banks, await transport.send('GET', target, undefined, serial))
      return (data ?? []).map(bankOf)
    },
    async provinces() {
      const { data } = readShape(Provinces, await get('areas/provinces'))
      return data.map(one => ({ name: one.province_name, code: one.province_code }))
    },
    async cities(provinceCode) {
      const path = `areas/provinces/${encodeURIComponent(provinceCode)}/cities`
      const { data } = readShape(Cities, await get(path))
      return (data ?? []).map(one => ({ name: one.city_name, code: one.city_code }))
    },
    async branches(bankCode, cityCode, window): Promise<DirectoryPage<{ name: string; number: string }>> {
      const query = `city_code=${encodeURIComponent(cityCode)}&${pageOf(window)}`
      const path = `banks/${encodeURIComponent(bankCode)}/branches?${query}`
      const { total_count: total, data } = readShape(Branches, await get(path))
      const rows = (data ?? []).map(one => ({ name: one.bank_branch_name, number: one.bank_branch_id }))
      return { rows, total }
    },
  }
}

function pageOf({ offset, limit }: DirectoryWindow): string {
  return `offset=${offset}&limit=${Math.min(limit, DIRECTORY_PAGE_MAX)}`
}

function bankOf(bank: NonNullable<z.infer<typeof Banks>['data']>[number]): Bank {
  return {
    name: bank.bank_alias,
    code: bank.bank_alias_code,
    accountBank: bank.account_bank,
    needsBranch: bank.need_bank_branch,
  }
}
