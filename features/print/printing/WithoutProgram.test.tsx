// What a machine is told to print by without a program: the ports of this very browser, and nothing that it has not.
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { WithoutProgram } from './WithoutProgram.tsx'

const APIS = ['usb', 'serial'] as const
type Api = (typeof APIS)[number]

function guide(...apis: Api[]) {
  for (const api of apis) Object.defineProperty(navigator, api, { value: {}, configurable: true })
  render(<WithoutProgram />)
  return screen.getAllByRole('listitem').map(item => item.textContent ?? '')
}
afterEach(() => {
  for (const api of APIS) Reflect.deleteProperty(navigator, api)
})

const PAGES = '普通打印机：打印时选“浏览器打印”，用 A4 纸；或下载 PDF'

test('a browser that reaches both ports names both, with what is pressed for each', () => {
  expect(guide('usb', 'serial')).toEqual([
    '标签机、小票机：接在这台电脑的 USB 口或串口上，打印时点“选择 USB 打印机”或“选择串口打印机”，选一次即可',
    PAGES,
  ])
})

test('a browser that reaches one port speaks of that one alone', () => {
  const [usb] = guide('usb')
  expect(usb).toContain('“选择 USB 打印机”')
  expect(usb).not.toContain('串口')
})

test('a browser with a serial port alone speaks of that one alone', () => {
  const [serial] = guide('serial')
  expect(serial).toContain('接在这台电脑的串口上，打印时点“选择串口打印机”')
  expect(serial).not.toContain('USB')
})

test('a browser that reaches none is told of pages, and of what reaches label printers', () => {
  const items = guide()
  expect(items).toHaveLength(2)
  expect(items[0]).toBe(PAGES)
  expect(items[1]).toContain('换用电脑上的 Chrome 或 Edge')
  expect(items.join('')).not.toMatch(/USB|串口/)
})
