// The ways to paper in their order: the desk's print program, a device of the browser, the browser's own printing, a PDF to keep.
import type { Calibration, PrintKind, PrintLanguage, Speech, Target } from '#kit/print/bridge/bridge.ts'
import type { Device } from './devices.ts'
import { printInFrame } from './frame.ts'

export type Way =
  | { key: string; kind: 'bridge'; target: Target }
  | { key: string; kind: 'device'; device: Device; language: PrintLanguage }
  | { key: 'browser' | 'pdf'; kind: 'browser' | 'pdf' }

export type PrintJob = {
  kind: PrintKind
  /** As the log of the desk's program names it: the template, the shop. */
  name: string
  /** What the dialog begins with. */
  copies: number
  /** What it can be made in; unless told, what printers of its kind understand, and PDF. */
  languages?: readonly PrintLanguage[]
  /** One copy in what the chosen printer understands, already moved and grown as its calibration says; in words where it is so spoken to. */
  bytesFor: (language: PrintLanguage, calibration: Calibration, speech: Speech) => Promise<Uint8Array>
  /** Characters that would not come out right on a printer that is so spoken to. */
  lost?: (language: PrintLanguage, speech: Speech) => readonly string[]
}

const USUAL: Readonly<Record<PrintKind, readonly PrintLanguage[]>> = {
  label: ['tspl', 'zpl', 'pdf'],
  receipt: ['escpos', 'pdf'],
}
export const languagesOf = ({ kind, languages }: PrintJob) => languages ?? USUAL[kind]

/** What is offered, the best first; `languages` are those that the job can be made in. */
export function waysOf(
  targets: readonly Target[],
  devices: readonly Device[],
  languages: readonly PrintLanguage[],
): Way[] {
  const plain = languages.filter(language => language !== 'pdf')
  return [
    ...targets
      .filter(({ language }) => languages.includes(language))
      .map(target => ({ key: `bridge:${target.id}`, kind: 'bridge' as const, target })),
    ...devices.flatMap(device =>
      plain.map(language => ({
        ...{ key: `device:${device.key}:${language}`, kind: 'device' as const },
        ...{ device, language },
      })),
    ),
    ...(languages.includes('pdf')
      ? [
          { key: 'browser' as const, kind: 'browser' as const },
          { key: 'pdf' as const, kind: 'pdf' as const },
        ]
      : []),
  ]
}

/** The way that is chosen first: the desk's default, then its first printer, then what is left. */
export const firstWay = (ways: readonly Way[], byDefault: string | null | undefined): Way | undefined =>
  ways.find(({ key }) => key === `bridge:${byDefault}`) ?? ways[0]

/**
 * By the browser's print window over the page; where it cannot, in its viewer, whose print button prints it; where it may open none it is
 * kept as a file.
 */
export async function printPdf(bytes: Uint8Array, name: string): Promise<void> {
  const href = pdfAddress(bytes)
  if (await printInFrame(href)) return
  if (window.open(href, '_blank') === null) saveAs(href, name)
}

export const savePdf = (bytes: Uint8Array, name: string) => saveAs(pdfAddress(bytes), name)

const pdfAddress = (bytes: Uint8Array) =>
  URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }))

function saveAs(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = `${name.replace(/[\\/:*?"<>|]/g, '_') || '打印'}.pdf`
  link.click()
}
