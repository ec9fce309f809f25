// What a printer has no letters for is asked about before anything goes to it.
import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { DRAWN, type Speech, UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { show } from '#test/components/show.tsx'
import type { PrintJob } from './transport.ts'

const target = {
  ...{ id: 'p1', name: '前台小票机', way: 'file', language: 'escpos', state: 'ready', waiting: 0 },
  ...{ calibration: UNCALIBRATED, speech: { mode: 'text', font: null } },
}
const link = {
  ...{ state: 'ready', problem: null, program: '1.0', caps: ['receipt'], log: null },
  desk: { targets: [target], defaults: { label: null, receipt: null }, copiesMost: 9 },
}
const sendJob = vi.fn(async () => ({ state: 'done', sha256: '' }))
vi.mock('./bridge-link.ts', () => ({
  ...{ linkStore: { subscribe: () => () => undefined, read: () => link }, sendJob },
  ...{ cancelJob: vi.fn(), setDefault: vi.fn(), connect: vi.fn() },
}))
vi.mock('./devices.ts', async original => ({
  ...(await original<object>()),
  chosenDevices: async () => [],
}))
const { default: PrintDialog } = await import('./PrintDialog.tsx')

let spoken: Speech[] = []
beforeEach(() => {
  spoken = []
  sendJob.mockClear()
})

const job = (asText: readonly string[], asDots: readonly string[]): PrintJob => ({
  ...{ kind: 'receipt', name: '结账单 80mm', copies: 1 },
  lost: (_language, { mode }) => (mode === 'text' ? asText : asDots),
  bytesFor: async (_language, _calibration, speech) => {
    spoken.push(speech)
    return new Uint8Array(1)
  },
})

async function printed(asText: readonly string[], asDots: readonly string[] = []) {
  const onClose = vi.fn()
  const person = show(<PrintDialog job={job(asText, asDots)} onClose={onClose} />)
  await person.click(await screen.findByRole('button', { name: '打印' }))
  return { person, onClose }
}

test('a receipt whose letters the printer has goes at once', async () => {
  const { onClose } = await printed([])
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(spoken).toEqual([target.speech])
})

test('letters that the printer has not are named before anything is sent, and dots print them', async () => {
  const { person } = await printed(['𠮷', '★'])
  expect((await screen.findByText(/没有 𠮷 ★，会打成「？」/)).getAttribute('role')).toBe('alert')
  expect(sendJob).not.toHaveBeenCalled()
  await person.click(screen.getByRole('button', { name: '改按点阵打印' }))
  await vi.waitFor(() => expect(sendJob).toHaveBeenCalledOnce())
  expect(spoken).toEqual([DRAWN])
})

test('whoever wants them as question marks says so', async () => {
  const { person } = await printed(['𠮷'])
  await person.click(await screen.findByRole('button', { name: '仍按文字打印' }))
  await vi.waitFor(() => expect(sendJob).toHaveBeenCalledOnce())
  expect(spoken).toEqual([target.speech])
})

test('what dots would not print either is to be changed, or is printed so', async () => {
  const { person } = await printed(['🍜'], ['🍜'])
  await screen.findByText('这台打印机没有 🍜，会打成「？」，请改掉后再打。')
  expect(screen.queryByRole('button', { name: '改按点阵打印' })).toBeNull()
  await person.click(screen.getByRole('button', { name: '仍要打印' }))
  await vi.waitFor(() => expect(sendJob).toHaveBeenCalledOnce())
})

test('a file with letters that the font has not is asked about, too', async () => {
  const person = show(<PrintDialog job={job([], ['🍜'])} onClose={vi.fn()} />)
  await person.click(await screen.findByRole('radio', { name: /下载 PDF/ }))
  await person.click(screen.getByRole('button', { name: '下载 PDF' }))
  await screen.findByText('字库里没有 🍜，会打成方框，请改掉后再打。')
  screen.getByRole('button', { name: '仍要下载 PDF' })
  expect(spoken).toEqual([])
})
