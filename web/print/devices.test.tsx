// Printers that the browser reaches get their bytes in parts, and one that is pulled is told of.
import { beforeEach, expect, test, vi } from 'vitest'

/** What went out of the devices, and after how many parts they are pulled. */
let parts: number[][] = []
let pulledAfter = Number.POSITIVE_INFINITY

function take(part: Uint8Array): void {
  if (parts.length >= pulledAfter) throw new DOMException('The device was disconnected.', 'NetworkError')
  parts.push([...part])
}

const close = vi.fn(async () => {
  if (parts.length >= pulledAfter) throw new DOMException('gone', 'NotFoundError')
})
const endpoints = [
  { endpointNumber: 1, direction: 'in', type: 'bulk' },
  { endpointNumber: 2, direction: 'out', type: 'bulk' },
]
const usb = {
  ...{ productName: '桌面标签机', serialNumber: '1', configuration: null as object | null, close },
  open: async () => undefined,
  selectConfiguration: async () => {
    usb.configuration = { interfaces: [{ interfaceNumber: 0, alternate: { interfaceClass: 7, endpoints } }] }
  },
  claimInterface: async () => undefined,
  transferOut: async (endpoint: number, part: Uint8Array) => {
    take(part)
    return { status: endpoint === 2 ? 'ok' : 'stall' }
  },
}
const port = {
  writable: null as WritableStream<Uint8Array> | null,
  open: async () => {
    port.writable = new WritableStream({ write: take })
  },
  close: async () => {
    if (port.writable?.locked) throw new TypeError('locked')
    port.writable = null
  },
}
Object.assign(navigator, {
  usb: { getDevices: async () => [usb], requestDevice: vi.fn() },
  serial: { getPorts: async () => [port], requestPort: vi.fn() },
})
const { chooseDevice, chosenDevices, DeviceFailure } = await import('./devices.ts')

const sheet = Uint8Array.from({ length: 40_000 }, (_, at) => at % 251)

beforeEach(() => {
  parts = []
  pulledAfter = Number.POSITIVE_INFINITY
})

const deviceNamed = async (name: string) => {
  const found = (await chosenDevices()).find(device => device.name === name)
  if (!found) throw new Error(name)
  return found
}

test.each(['桌面标签机', '串口打印机 1'])(
  '%s gets every byte in its order, and once more when asked again',
  async name => {
    const device = await deviceNamed(name)
    await device.write(sheet)
    await device.write(sheet)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.flat()).toEqual([...sheet, ...sheet])
  },
)

test.each(['桌面标签机', '串口打印机 1'])(
  '%s that is pulled says whether some may be on paper, and is sent no more',
  async name => {
    const device = await deviceNamed(name)
    pulledAfter = 1
    const failure = await device.write(sheet).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DeviceFailure)
    expect(failure).toHaveProperty('begun', true)
    expect(parts).toHaveLength(1)
  },
)

test('one that cannot be opened has nothing on paper', async () => {
  usb.open = () => Promise.reject(new DOMException('in use', 'SecurityError'))
  const failure = await (await deviceNamed('桌面标签机')).write(sheet).catch((error: unknown) => error)
  expect(failure).toHaveProperty('begun', false)
  usb.open = async () => undefined
})

test('a person who chooses none is no failure', async () => {
  const { serial } = navigator as unknown as { serial: { requestPort: ReturnType<typeof vi.fn> } }
  serial.requestPort.mockRejectedValueOnce(new DOMException('none', 'NotFoundError'))
  expect([await chooseDevice('serial'), await chooseDevice('serial')]).toEqual([false, true])
})
