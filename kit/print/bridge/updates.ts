// What an office signs of a new print program, and which version is newer. Pure.
import { z } from 'zod'
import { PACK_SYSTEMS, type PackSystem } from './packs.ts'

/** Signed for nothing else: a key that signs other texts too signs none of this shape. */
const PURPOSE = 'partner-office-print-update'
const VERSION = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/

/** `name` under `PACKS_PATH`, of the program in gzip; `byteSize` and `sha256` are of that file. */
export const UpdateManifest = z.strictObject({
  purpose: z.literal(PURPOSE),
  version: z.string().regex(VERSION),
  system: z.enum(Object.keys(PACK_SYSTEMS) as [PackSystem, ...PackSystem[]]),
  name: z.string().regex(/^\w[\w.-]{0,99}$/),
  byteSize: z
    .int()
    .min(1)
    .max(512 * 1_048_576),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type UpdateManifest = z.infer<typeof UpdateManifest>

/** The very text that is signed. */
export const manifestText = (manifest: Omit<UpdateManifest, 'purpose'>): string =>
  JSON.stringify(UpdateManifest.parse({ purpose: PURPOSE, ...manifest }))

/** Of `1.10.0` and the like: above 0 where `a` is the newer one. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [a, b].map(version => version.split('.').map(Number))
  for (const [at, number] of (first ?? []).entries()) {
    const difference = number - (second?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
