// Owns for which systems the desk's print program is packed, and which of them a browser runs on. Pure.

export const PACK_SYSTEMS = {
  'win-x64': 'Windows（64 位）',
  'linux-x64': 'Linux（x64）',
  'linux-arm64': 'Linux（arm64）',
} as const
export type PackSystem = keyof typeof PACK_SYSTEMS

/** `name`: under `PACKS_PATH`. Those of one system stand in the order in which they are offered. */
export type PackedFile = { system: PackSystem; name: string; byteSize: number; sha256: string }
/**
 * What a program of one system becomes, for the program itself: `manifest` is the text that was signed (`UpdateManifest`), `signature` in
 * base64. What stands beside it says where to find it and is not trusted.
 */
export type SignedUpdate = {
  system: PackSystem
  name: string
  byteSize: number
  manifest: string
  signature: string
}
export type Packs = {
  program: string
  files: readonly PackedFile[]
  updates: readonly SignedUpdate[]
}
/** Of an office where nothing is packed. */
export const NO_PACKS: Packs = { program: '', files: [], updates: [] }

/** Where the office hands the files out. */
export const PACKS_PATH = '/print-program'

/** Null: none is packed for it, as for a phone or a Mac. A browser on Linux does not always say which processor it has: x64 then. */
export function systemOf(userAgent: string): PackSystem | null {
  if (/Windows/.test(userAgent)) return 'win-x64'
  if (!/Linux/.test(userAgent) || /Android/.test(userAgent)) return null
  return /aarch64|arm64/.test(userAgent) ? 'linux-arm64' : 'linux-x64'
}
