// How many rows a list has on a page.
import { expect, test } from 'vitest'
import { rememberSize, sizeOf } from './useListParams.ts'

test('another number of rows, once chosen, stays for its list, but not where a link names a page', () => {
  history.replaceState(null, '', '/admin/merchant/myMerchant')
  expect(sizeOf({})).toBe(10)
  rememberSize(20)
  expect(sizeOf({})).toBe(20)
  expect(sizeOf({ size: 50 })).toBe(50)
  expect(sizeOf({ page: 2 })).toBe(10)
  history.replaceState(null, '', '/admin/order/versionsOrder')
  expect(sizeOf({})).toBe(10)
  history.replaceState(null, '', '/admin/merchant/myMerchant')
  rememberSize(10)
  expect(sizeOf({})).toBe(10)
})
