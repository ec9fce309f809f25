// The one verdict on a label, over what was found.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Fault } from '#kit/print/faults.ts'
import { show } from '#test/components/show.tsx'
import { ProofDock } from './ProofDock.tsx'
import type { Proved } from './useProof.ts'

const bitmap = { width: 8, height: 1, rows: new Uint8Array(1) }
const fault = (stops: boolean): Fault => ({
  ...{ item: null, kind: stops ? 'empty' : 'codeLow', stops },
  ...{ words: stops ? '标签是空的' : '条码太矮', help: '改高' },
})
const proved = (more: Partial<Proved> = {}): Proved => ({
  ...{ bitmap, faults: [], read: 0, codes: 0, qrCodes: 0, hidden: 0 },
  ...more,
})

/** Messages that come and go have a place of their own beside it. */
const verdictShown = async () =>
  within(await screen.findByRole('region', { name: '打印效果' })).getByRole('status').textContent

const cases: [what: string, at203: Partial<Proved>, at300: Partial<Proved>, verdict: string][] = [
  ['nothing is found', {}, {}, '没有发现问题'],
  ['codes were read', { codes: 2, read: 2 }, {}, '2 个条码均可扫描'],
  ['a QR code is one', { codes: 3, qrCodes: 1, read: 3 }, {}, '2 个条码、1 个二维码均可扫描'],
  ['there is but a QR code', { codes: 1, qrCodes: 1, read: 1 }, {}, '1 个二维码均可扫描'],
  ['something stands in the way', { faults: [fault(true)] }, {}, '1 个问题'],
  ['it does so with the longest data alone', { hidden: 1 }, {}, '1 个问题'],
  ['it does so with both', { faults: [fault(true)], hidden: 2 }, {}, '3 个问题'],
  ['something is worth a look', { faults: [fault(false)] }, {}, '可以发布，1 处请留意'],
  ['it is still read', { codes: 1, read: null }, {}, '正在检查…'],
]
for (const [what, at203, at300, verdict] of cases)
  test(`one verdict where ${what}`, async () => {
    show(
      <ProofDock
        proof={{ 8: proved(at203), 12: proved(at300) }}
        onSelect={() => undefined}
        onLongest={() => undefined}
      />,
    )
    expect(await verdictShown()).toBe(verdict)
  })

test('a finer printer does not hide what stands in the way at the usual one', async () => {
  const person = show(
    <ProofDock
      proof={{ 8: proved({ faults: [fault(true)] }), 12: proved() }}
      onSelect={() => undefined}
      onLongest={() => undefined}
    />,
  )
  await person.click(await screen.findByRole('radio', { name: '300 dpi' }))
  expect(await verdictShown()).toBe('300 dpi 可用，203 dpi 有 1 个问题')
  await person.click(screen.getByRole('button', { name: '203 dpi 时有 1 个问题' }))
  expect(await verdictShown()).toBe('1 个问题')
})
