import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { monthAfter } from '#features/sales/settlement/rules.ts'
import { percentText } from '#kit/money.ts'
import {
  attainment,
  type CohortKind,
  type CohortSum,
  type CohortUnit,
  cohortShare,
  cohortsOf,
  columnMonths,
  columnName,
  monthsOf,
  partsOf,
  planSum,
  spread,
} from './rules.ts'

test('a range is whole months and the days of the last', () => {
  const cases: [from: string, to: string, months: string, days: string][] = [
    ['2026-01-01', '2026-12-31', '2026-01-01 2026-12-01', ''],
    ['2026-01-01', '2026-11-23', '2026-01-01 2026-10-01', '2026-11-01 2026-11-23'],
    ['2026-11-01', '2026-11-23', '', '2026-11-01 2026-11-23'],
    ['2026-02-01', '2026-02-28', '2026-02-01 2026-02-01', ''],
  ]
  for (const [from, to, months, days] of cases) {
    const parts = partsOf({ from, to })
    assert.equal(parts.months ? `${parts.months.from} ${parts.months.to}` : '', months, `${from} ${to}`)
    assert.equal(parts.days ? `${parts.days.from} ${parts.days.to}` : '', days, `${from} ${to}`)
  }
})

test('a percentage is told with its sign', () => {
  assert.equal(percentText(1_250), '12.5%')
  assert.equal(percentText(1_250, true), '+12.5%')
  assert.equal(percentText(-1_250, true), '−12.5%')
  assert.equal(percentText(0, true), '0%')
})

test('a range is told by its months, each with its days of it', () => {
  assert.deepEqual(monthsOf({ from: '2026-01-15', to: '2026-03-02' }), [
    { month: '2026-01', from: '2026-01-15', to: '2026-01-31' },
    { month: '2026-02', from: '2026-02-01', to: '2026-02-28' },
    { month: '2026-03', from: '2026-03-01', to: '2026-03-02' },
  ])
})

test('columns of months and years follow each other without a gap', () => {
  const cases: [unit: CohortUnit, at: number, months: string, name: string][] = [
    ['month', 0, '2025-11 2025-11', '当月'],
    ['month', 3, '2026-02 2026-02', '3 个月'],
    ['year', 0, '2025-11 2026-11', '第 1 年'],
    ['year', 1, '2026-12 2027-11', '第 2 年'],
  ]
  for (const [unit, at, months, name] of cases) {
    const { from, to } = columnMonths(unit, '2025-11', at)
    assert.equal(`${from} ${to}`, months)
    assert.equal(columnName(unit, at), name)
  }
})

test('a cohort has the columns that have ended, each with who is lost by then and who was due in it', () => {
  const sums: CohortSum[] = [
    { month: '2026-01', kind: 'ends', ends: null, shops: 1 },
    { month: '2026-01', kind: 'ends', ends: '2026-02', shops: 2 },
    { month: '2026-01', kind: 'ends', ends: '2026-03', shops: 3 },
    { month: '2026-01', kind: 'ends', ends: '2027-01', shops: 4 },
    { month: '2026-01', kind: 'renewed', ends: '2026-02', shops: 6 },
    { month: '2026-02', kind: 'ends', ends: '2026-04', shops: 5 },
  ]
  const [first, second, none] = cohortsOf(sums, ['2026-01', '2026-02', '2026-03'], 'month', '2026-04')
  assert.deepEqual(first, {
    month: '2026-01',
    shops: 10,
    cells: [
      { lost: 0, renewed: 0, lapsed: 0 },
      { lost: 2, renewed: 6, lapsed: 2 },
      { lost: 5, renewed: 0, lapsed: 3 },
    ],
  })
  assert.deepEqual(second?.cells, [
    { lost: 0, renewed: 0, lapsed: 0 },
    { lost: 0, renewed: 0, lapsed: 0 },
  ])
  assert.deepEqual([none?.shops, none?.cells.length], [0, 1])
  assert.ok(first?.cells[1] && none?.cells[0])
  assert.deepEqual(cohortShare(first, first.cells[1], 'renewed'), { part: 6, whole: 8, share: 7_500 })
  assert.deepEqual(cohortShare(first, first.cells[1], 'lost'), { part: 2, whole: 10, share: 2_000 })
  assert.deepEqual(cohortShare(first, first.cells[1], 'kept'), { part: 8, whole: 10, share: 8_000 })
  assert.equal(cohortShare(none, none.cells[0], 'kept'), null)
  assert.equal(cohortsOf(sums, ['2026-01'], 'year', '2027-01')[0]?.cells.length, 0)
  assert.deepEqual(cohortsOf(sums, ['2026-01'], 'year', '2027-02')[0]?.cells, [
    { lost: 9, renewed: 6, lapsed: 9 },
  ])
})

test('each column of a cohort holds what ends in the months that it is said to have', () => {
  const month = fc.integer({ min: 0, max: 47 }).map(at => monthAfter('2023-01', at))
  const sum = fc.record({
    month: fc.constantFrom('2023-11', '2024-01', '2024-02'),
    kind: fc.constantFrom('ends' as const, 'renewed' as const),
    ends: fc.option(month),
    shops: fc.integer({ min: 0, max: 9 }),
  })
  const shopsOf = (sums: readonly CohortSum[]) => sums.reduce((all, { shops }) => all + shops, 0)
  fc.assert(
    fc.property(
      fc.array(sum),
      fc.constantFrom('month' as const, 'year' as const),
      month,
      (sums, unit, today) => {
        for (const cohort of cohortsOf(sums, ['2023-11', '2024-01', '2024-02'], unit, today)) {
          const own = sums.filter(one => one.month === cohort.month)
          const ended = (kind: CohortKind, from: string, to: string) =>
            shopsOf(own.filter(({ ends, ...one }) => one.kind === kind && ends && ends >= from && ends <= to))
          assert.equal(cohort.shops, shopsOf(own.filter(({ kind }) => kind === 'ends')))
          for (const [at, cell] of cohort.cells.entries()) {
            const { from, to } = columnMonths(unit, cohort.month, at)
            const { lost, renewed, lapsed } = cell
            assert.ok(to < today)
            assert.equal(lost, ended('ends', '0000-00', to))
            assert.deepEqual([renewed, lapsed], [ended('renewed', from, to), ended('ends', from, to)])
          }
          assert.ok(columnMonths(unit, cohort.month, cohort.cells.length).to >= today)
        }
      },
    ),
  )
})

test('income is compared with what was planned, and with nothing where nothing was', () => {
  assert.deepEqual(attainment(150, 100), { difference: 50, share: 15_000 })
  assert.deepEqual(attainment(50, 100), { difference: -50, share: 5_000 })
  assert.deepEqual(attainment(50, 0), { difference: 50, share: null })
  assert.deepEqual(attainment(50, null), { difference: null, share: null })
  assert.equal(planSum([null, 1, null, 2]), 3)
  assert.equal(planSum([null, null]), null)
})

test('a year is spread over its months, and nothing of it is lost', () => {
  for (const cents of [0, 1, 1_200, 100_000, 99_999_999]) {
    const parts = spread(cents)
    assert.equal(parts.length, 12)
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0),
      cents,
    )
    assert.ok(parts.slice(0, 11).every(part => part % 100 === 0))
  }
})
