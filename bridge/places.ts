// Where a printer stands, in words for the person at the desk.
import { resolve } from 'node:path'
import type { TargetSettings } from './config.ts'

export function placeOf(target: TargetSettings, dir: string): string {
  if (target.way === 'file') return resolve(dir, target.folder)
  if (target.way === 'tcp') return `${target.host}:${target.port}`
  if (target.way === 'spool') return `Windows ${target.printer}`
  return target.way === 'cups' ? `CUPS ${target.queue}` : target.device
}
