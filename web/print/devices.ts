// Printers that the browser itself reaches, where it can: WebUSB and WebSerial, each device chosen once by a person. Written to the
// API; nobody could try it on a device.

type UsbEndpoint = { endpointNumber: number; direction: 'in' | 'out'; type: string }
type UsbInterface = {
  interfaceNumber: number
  alternate: { interfaceClass: number; endpoints: readonly UsbEndpoint[] }
}
type UsbDevice = {
  productName?: string
  serialNumber?: string
  configuration: { interfaces: readonly UsbInterface[] } | null
  open(): Promise<void>
  close(): Promise<void>
  selectConfiguration(value: number): Promise<void>
  claimInterface(number: number): Promise<void>
  transferOut(endpoint: number, data: Uint8Array): Promise<{ status: string }>
}
type SerialPort = {
  writable: WritableStream<Uint8Array> | null
  open(options: { baudRate: number }): Promise<void>
  close(): Promise<void>
}
type Reaching = {
  usb?: {
    getDevices(): Promise<UsbDevice[]>
    requestDevice(options: { filters: { classCode: number }[] }): Promise<UsbDevice>
  }
  serial?: { getPorts(): Promise<SerialPort[]>; requestPort(): Promise<SerialPort> }
}

/** A printer's class among USB devices. */
const PRINTER = 7
const BAUD = 9_600
const PART = 16_384

export const DEVICE_KINDS = { usb: 'USB 打印机', serial: '串口打印机' } as const
export type DeviceKind = keyof typeof DEVICE_KINDS
export type Device = { key: string; name: string; write(bytes: Uint8Array): Promise<void> }

const reach = navigator as Navigator & Reaching

/** What this browser could reach, once a device is chosen. */
export const deviceKinds = (): DeviceKind[] => (['usb', 'serial'] as const).filter(kind => reach[kind])

/** Those that were chosen before. */
export async function chosenDevices(): Promise<Device[]> {
  const [usb, serial] = await Promise.all([
    reach.usb?.getDevices().catch(() => []) ?? [],
    reach.serial?.getPorts().catch(() => []) ?? [],
  ])
  return [...usb.map(usbDevice), ...serial.map(serialDevice)]
}

/** Asks a person for a device; false where none was chosen. */
export async function chooseDevice(kind: DeviceKind): Promise<boolean> {
  try {
    if (kind === 'usb') await reach.usb?.requestDevice({ filters: [{ classCode: PRINTER }] })
    else await reach.serial?.requestPort()
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return false
    throw error
  }
}

function usbDevice(device: UsbDevice, at: number): Device {
  return {
    key: `usb-${device.serialNumber ?? at}`,
    name: device.productName || DEVICE_KINDS.usb,
    async write(bytes) {
      await device.open()
      try {
        if (!device.configuration) await device.selectConfiguration(1)
        const face = device.configuration?.interfaces.find(one => one.alternate.interfaceClass === PRINTER)
        const out = face?.alternate.endpoints.find(one => one.direction === 'out' && one.type === 'bulk')
        if (!face || !out) throw new Error('不是打印机')
        await device.claimInterface(face.interfaceNumber)
        for (let from = 0; from < bytes.length; from += PART) {
          const { status } = await device.transferOut(out.endpointNumber, bytes.subarray(from, from + PART))
          if (status !== 'ok') throw new Error('打印机没有接收')
        }
      } finally {
        await device.close()
      }
    },
  }
}

function serialDevice(port: SerialPort, at: number): Device {
  return {
    key: `serial-${at}`,
    name: `${DEVICE_KINDS.serial} ${at + 1}`,
    async write(bytes) {
      await port.open({ baudRate: BAUD })
      try {
        const writer = port.writable?.getWriter()
        await writer?.write(bytes)
        await writer?.close()
      } finally {
        await port.close()
      }
    },
  }
}
