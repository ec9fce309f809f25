// What a campaign's fields and its list are.
import { MERCHANT_FIELDS, MY_MERCHANTS } from '#features/merchants/fields.ts'
import { byWord } from '#kit/list.ts'

const { status: _status, ...shopFilters } = MY_MERCHANTS.filters

/** By which shops a campaign finds whom it reaches. Those that are disabled get nothing, whatever is filtered. */
export const AUDIENCE_FILTERS = {
  ...shopFilters,
  managerId: { kind: 'id', label: '客户经理' },
  verificationStatus: { ...byWord(MERCHANT_FIELDS.verificationStatus), chip: '认证' },
} as const
