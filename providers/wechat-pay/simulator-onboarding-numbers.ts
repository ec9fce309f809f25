// Numbers of licences and ID cards as the simulated WeChat Pay checks them, by code of its own.

const CREDIT = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const CREDIT_WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]
const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** A credit code of 18 signs (GB 32100) or an older registration number of 15 digits. */
export function isLicenceNumber(text: string): boolean {
  if (/^\d{15}$/.test(text)) return true
  const values = [...text].map(sign => CREDIT.indexOf(sign))
  if (values.length !== 18 || values.includes(-1)) return false
  const sum = CREDIT_WEIGHTS.reduce((total, weight, place) => total + weight * (values[place] ?? 0), 0)
  return (sum + (values[17] ?? 0)) % 31 === 0
}

/** A citizen's number (GB 11643) of somebody who was born by that day. */
export function isIdNumber(text: string, today: string): boolean {
  if (!/^[1-8]\d{16}[\dX]$/.test(text)) return false
  const day = `${text.slice(6, 10)}-${text.slice(10, 12)}-${text.slice(12, 14)}`
  const birth = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(birth.getTime()) || birth.toISOString().slice(0, 10) !== day || day > today) return false
  const check = text[17] === 'X' ? 10 : Number(text[17])
  const sum = ID_WEIGHTS.reduce((total, weight, place) => total + weight * Number(text[place]), 0)
  return (sum + check) % 11 === 1
}
