// The print program as it is offered: its file for the system that asks, and the way with Node where there is none.
import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { PackedFile, Packs, SignedUpdate } from '#kit/print/bridge/packs.ts'
import { show } from '#test/components/show.tsx'
import { ProgramOffer } from './ProgramOffer.tsx'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605'
const UPDATES = '装好后每天自己更新，只接受本后台签名的版本。'

const setup: PackedFile = {
  ...{ system: 'win-x64', name: 'setup.exe', byteSize: 36 * 1_048_576, sha256: 'a'.repeat(64) },
}
const update: SignedUpdate = {
  ...{ system: 'win-x64', name: 'win.gz', byteSize: 1, manifest: '{}', signature: '' },
}

function offer(agent: string, packs: Partial<Packs>, status = 200) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
  vi.stubGlobal('fetch', async () =>
    Response.json({ program: '1.2.0', files: [], updates: [], ...packs }, { status }),
  )
  show(<ProgramOffer />)
}
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('its file for this system is led to with size and checksum, and that it updates itself is said where it does', async () => {
  offer(WINDOWS, { files: [setup, { ...setup, name: 'win.zip' }], updates: [update] })
  const link = await screen.findByRole('link', { name: '下载打印程序 1.2.0' })
  expect(link.getAttribute('href')).toBe('/print-program/setup.exe')
  expect(link.closest('li')?.textContent).toContain('Windows（64 位），36.0 MB），在接打印机的电脑上双击安装')
  screen.getByRole('button', { name: `复制 SHA-256 ${setup.sha256}` })
  screen.getByText(UPDATES)
})

test('an archive is unpacked first', async () => {
  offer(WINDOWS, { files: [{ ...setup, name: 'win.zip' }] })
  await screen.findByText(/解压后双击里面的程序/)
})

test('of a program that nothing is signed for it is not said that it updates itself', async () => {
  offer(WINDOWS, { files: [setup], updates: [{ ...update, system: 'linux-x64' }] })
  await screen.findByRole('link', { name: '下载打印程序 1.2.0' })
  expect(screen.queryByText(UPDATES)).toBeNull()
})

test('a system without a file has the way with Node; an office without any is told what makes them', async () => {
  offer(MAC, { files: [setup], updates: [update] })
  await screen.findByText(/^这个系统没有现成的安装文件/)
  expect(screen.getByRole('link', { name: '下载打印程序' }).getAttribute('href')).toBe('/bridge.mjs')
  expect(screen.queryByText(UPDATES)).toBeNull()
})

test('an office that has packed nothing says what its operator does', async () => {
  offer(WINDOWS, {})
  await screen.findByText(/请运营方在服务器上运行 npm run bridge:pack/)
})

test('a list that cannot be read is told of', async () => {
  offer(WINDOWS, {}, 500)
  await screen.findByText('查不到打印程序的下载文件，请刷新页面再试')
})
