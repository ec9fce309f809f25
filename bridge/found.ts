// Printers that the system knows, to be taken over by one press: queues of CUPS, USB printers of Linux, printers of Windows.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { PrintLanguage } from '#kit/print/bridge/bridge.ts'
import type { TargetSettings } from './config.ts'
import { POWERSHELL } from './spooler.ts'

/** `place`: queue, device or the system's name, by which it is taken over. `language` is a guess by its name. */
export type Found = { way: 'cups' | 'serial' | 'spool'; place: string; name: string; language: PrintLanguage }

/** A system without the program, or whose program says no, knows none. */
const linesOf = (program: string, args: string[]): Promise<string[]> =>
  promisify(execFile)(program, args, { timeout: 10_000 }).then(
    ({ stdout }) =>
      stdout
        .split(/\r?\n/)
        .map(line => line.trim())
        .filter(Boolean),
    () => [],
  )

/** What a printer of that name most likely understands; what names no maker of labels or receipts prints pages. */
export function languageOf(name: string, otherwise: PrintLanguage): PrintLanguage {
  if (/zebra|zdesigner|\bgk4|\bzd\d|zpl/i.test(name)) return 'zpl'
  if (/tsc|tspl|gprinter|gp-|label|deli.*dl|hprt|标签/i.test(name)) return 'tspl'
  if (/pos|receipt|thermal|tm-|xp-|xprinter|58|80mm|小票/i.test(name)) return 'escpos'
  return otherwise
}

/** Asks the system anew; those that are taken over already are left out. */
export async function findPrinters(targets: readonly TargetSettings[]): Promise<Found[]> {
  const all = process.platform === 'win32' ? await ofWindows() : await ofUnix()
  const taken = new Set(targets.map(placeOf))
  return all.filter(({ way, place }) => !taken.has(`${way} ${place}`))
}

function placeOf(target: TargetSettings): string {
  if (target.way === 'cups') return `cups ${target.queue}`
  if (target.way === 'spool') return `spool ${target.printer}`
  return target.way === 'serial' ? `serial ${target.device}` : ''
}

async function ofUnix(): Promise<Found[]> {
  const queues = await linesOf('lpstat', ['-e'])
  // macOS has no such names; there USB printers are queues.
  const usb = (await readdir('/dev/usb').catch(() => [])).filter(name => /^lp\d+$/.test(name)).toSorted()
  return [
    ...queues
      .filter(queue => /^[A-Za-z0-9_][\w.-]*$/.test(queue))
      .map(queue => ({
        way: 'cups' as const,
        place: queue,
        name: queue,
        language: languageOf(queue, 'pdf'),
      })),
    ...usb.map(name => ({
      ...{ way: 'serial' as const, place: `/dev/usb/${name}`, name: `USB 打印机 ${name}` },
      language: 'escpos' as const,
    })),
  ]
}

async function ofWindows(): Promise<Found[]> {
  const ask = `[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Printer | ForEach-Object { $_.Name }`
  const names = await linesOf(POWERSHELL, ['-NoProfile', '-NonInteractive', '-Command', ask])
  return names.map(name => ({ way: 'spool', place: name, name, language: languageOf(name, 'escpos') }))
}

/** As `config.json` has it; `taken`: ids that are in use. */
export function settingsOf(found: Found, language: PrintLanguage, taken: readonly string[]): TargetSettings {
  let number = taken.length + 1
  while (taken.includes(`printer-${number}`)) number += 1
  const common = {
    ...{ id: `printer-${number}`, name: found.name.slice(0, 40), language, dots: 8 as const, font: null },
  }
  if (found.way === 'cups') return { way: 'cups', ...common, queue: found.place }
  if (found.way === 'spool') return { way: 'spool', ...common, printer: found.place }
  return { way: 'serial', ...common, device: found.place }
}
