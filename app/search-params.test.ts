import assert from 'node:assert/strict'
import test from 'node:test'
import { parseSearch, stringifySearch } from './search-params.ts'

test('`order` is the number of an order in an address that people share, and a direction in a list’s own', () => {
  assert.deepEqual(parseSearch('?order=2026010100000000000042'), { orderNo: '2026010100000000000042' })
  const sorted = { sort: 'createdAt', order: 'desc' }
  assert.deepEqual(parseSearch('?sort=createdAt&order=desc'), sorted)
  assert.equal(stringifySearch({ ...sorted, page: undefined, search: '' }), '?sort=createdAt&order=desc')
})
