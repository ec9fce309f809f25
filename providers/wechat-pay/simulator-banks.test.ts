import assert from 'node:assert/strict'
import test from 'node:test'
import {
  checkDigit,
  isDivision,
  listBanks,
  listBranches,
  listCities,
  listProvinces,
} from './simulator-banks.ts'

/** Numbers of head offices that anybody may look up. */
const PUBLISHED = [
  '102100099996',
  '103100000026',
  '104100000004',
  '105100000017',
  '308584000013',
  '403100000004',
]

type Branch = { bank_branch_name: string; bank_branch_id: string }

test('a branch’s number ends in the digit that published numbers end in', () => {
  for (const number of PUBLISHED) assert.equal(checkDigit(number.slice(0, 11)), Number(number[11]))
})

test('the directory is small and believable: banks, places, and branches with numbers of their own', () => {
  const page = new URLSearchParams({ offset: '0', limit: '200' })
  const banks = (
    listBanks('corporate', page) as { data: { bank_alias_code: string; need_bank_branch: boolean }[] }
  ).data
  assert.ok(banks.length >= 20)
  const provinces = (listProvinces() as { data: { province_code: number }[] }).data
  const cities = provinces.flatMap(
    ({ province_code }) => (listCities(String(province_code)) as { data: { city_code: number }[] }).data,
  )
  const branches = banks
    .filter(({ need_bank_branch }) => need_bank_branch)
    .flatMap(bank =>
      cities.flatMap(city => {
        const query = new URLSearchParams({ city_code: String(city.city_code), limit: '200' })
        return (listBranches(bank.bank_alias_code, query) as { data: Branch[] }).data
      }),
    )
  assert.ok(branches.length >= 100 && branches.length < 1000, String(branches.length))
  assert.equal(new Set(branches.map(one => one.bank_branch_id)).size, branches.length)
  assert.equal(new Set(branches.map(one => one.bank_branch_name)).size, branches.length)
  for (const { bank_branch_id: number } of branches)
    assert.equal(checkDigit(number.slice(0, 11)), Number(number[11]), number)
})

test('a division names at least a city, and a municipality is one', () => {
  for (const good of ['440300', '440305', '110000', '310115']) assert.ok(isDivision(good), good)
  for (const bad of ['440000', '990000', '4403', '44030a']) assert.ok(!isDivision(bad), bad)
})
