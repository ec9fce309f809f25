// Printers that the browser itself reaches, where it can: WebUSB and WebSerial, each device chosen once by a person. Written to the
// API and tried against devices that tests make; nobody could try it on a printer.

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
/** `write` fails with a DeviceFailure. */
export type Device = { key: string; name: string; write(bytes: Uint8Array): Promise<void> }

export const DEVICE_UNREACHED = '浏览器打不开这台打印机，请检查连接和电源，并关闭正在使用它的其他程序'

/** `begun`: some of it may be on paper. */
export class DeviceFailure extends Error {
  readonly begun: boolean
  constructor(begun: boolean, cause: unknown) {
    super(String(cause), { cause })
    this.begun = begun
  }
}

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
    write: bytes =>
      sendParts(bytes, device, async () => {
        await device.open()
        if (!device.configuration) await device.selectConfiguration(1)
        const face = device.configuration?.interfaces.find(one => one.alternate.interfaceClass === PRINTER)
        const out = face?.alternate.endpoints.find(one => one.direction === 'out' && one.type === 'bulk')
        if (!face || !out) throw new Error('no printer')
        await device.claimInterface(face.interfaceNumber)
        return async part => {
          const { status } = await device.transferOut(out.endpointNumber, part)
          if (status !== 'ok') throw new Error(status)
        }
      }),
  }
}

function serialDevice(port: SerialPort, at: number): Device {
  return {
    key: `serial-${at}`,
    name: `${DEVICE_KINDS.serial} ${at + 1}`,
    write: bytes =>
      sendParts(bytes, port, async () => {
        await port.open({ baudRate: BAUD })
        const { writable } = port
        if (!writable) throw new Error('not writable')
        return async part => {
          // Held no longer than it writes: what is held cannot be closed.
          const writer = writable.getWriter()
          try {
            await writer.write(part)
          } finally {
            writer.releaseLock()
          }
        }
      }),
  }
}

/** Part by part, each taken before the next is sent; what was begun and broke off says so. */
async function sendParts(
  bytes: Uint8Array,
  device: { close(): Promise<void> },
  open: () => Promise<(part: Uint8Array) => Promise<void>>,
): Promise<void> {
  let begun = false
  try {
    const send = await open()
    for (let from = 0; from < bytes.length; from += PART) {
      begun = true
      await send(bytes.subarray(from, from + PART))
    }
  } catch (error) {
    throw new DeviceFailure(begun, error)
  } finally {
    // One that was pulled cannot be closed; that it was pulled is told.
    await device.close().catch(() => undefined)
  }
}
