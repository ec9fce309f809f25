// The number of a business licence: since 2015 the credit code of GB 32100, of 18 signs, in which an organization's code of
// GB 11714 stands; before, a registration number of 15 digits. Checks find each single wrong sign.

export const LICENCE_NUMBER_REFUSALS = {
  LICENCE_NUMBER_FORMAT: '须为18位统一社会信用代码或15位注册号',
  CREDIT_CODE_CHECK: '统一社会信用代码有误，请逐位核对',
  CREDIT_CODE_ORGANIZATION: '统一社会信用代码中的主体标识码有误，请逐位核对',
} as const
export type LicenceNumberRefusal = keyof typeof LICENCE_NUMBER_REFUSALS

/** Said, and let pass: some numbers were given before there was a check. */
export const LICENCE_NUMBER_WARNINGS = {
  REGISTRATION_NUMBER_CHECK: '注册号校验位不符，请对照执照核对',
} as const
export type LicenceNumberWarning = keyof typeof LICENCE_NUMBER_WARNINGS

/** Without I, O, S, V and Z, which look like digits. */
const CREDIT_SIGNS = '0123456789ABCDEFGHJKLMNPQRTUWXY'
export const CREDIT_CODE = new RegExp(`^[${CREDIT_SIGNS}]{18}$`)
export const REGISTRATION_NUMBER = /^\d{15}$/
const ORGANIZATION_WEIGHTS = [3, 7, 9, 10, 5, 8, 4, 2]

/** Capital letters, as licences print them. */
export function refuseLicenceNumber(text: string): LicenceNumberRefusal | null {
  if (REGISTRATION_NUMBER.test(text)) return null
  if (!CREDIT_CODE.test(text)) return 'LICENCE_NUMBER_FORMAT'
  if (creditCheckOf(text) !== text[17]) return 'CREDIT_CODE_CHECK'
  return organizationCheckOf(text.slice(8, 16)) === text[16] ? null : 'CREDIT_CODE_ORGANIZATION'
}

export function warnOfLicenceNumber(text: string): LicenceNumberWarning | null {
  if (!REGISTRATION_NUMBER.test(text)) return null
  return isRegistrationChecked(text) ? null : 'REGISTRATION_NUMBER_CHECK'
}

/** Weights are powers of 3 modulo 31. */
function creditCheckOf(text: string): string | undefined {
  let sum = 0
  let weight = 1
  for (const sign of text.slice(0, 17)) {
    sum += CREDIT_SIGNS.indexOf(sign) * weight
    weight = (weight * 3) % CREDIT_SIGNS.length
  }
  return CREDIT_SIGNS[(CREDIT_SIGNS.length - (sum % CREDIT_SIGNS.length)) % CREDIT_SIGNS.length]
}

/** Letters count 10 to 35 here. */
function organizationCheckOf(text: string): string {
  const sum = ORGANIZATION_WEIGHTS.reduce(
    (total, weight, place) => total + weight * Number.parseInt(text[place] as string, 36),
    0,
  )
  const check = 11 - (sum % 11)
  return check === 11 ? '0' : check === 10 ? 'X' : String(check)
}

/** ISO 7064 MOD 11,10. */
function isRegistrationChecked(text: string): boolean {
  let carried = 10
  for (const digit of text.slice(0, 14)) {
    const sum = (carried + Number(digit)) % 10
    carried = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (carried + Number(text[14])) % 10 === 1
}
