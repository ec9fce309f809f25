import { useEffect, useMemo, useState } from 'react'
import { itemName } from '#kit/print/edit/draft.ts'
import { codeWords, type Fault, faultsOf } from '#kit/print/faults.ts'
import type { Glyphs } from '#kit/print/glyphs.ts'
import type { Label, LabelData } from '#kit/print/label.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { rasterOf } from '#kit/print/raster.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { unreadItems } from '#kit/print/scanned.ts'
import type { Bitmap, Scene } from '#kit/print/scene.ts'
import { DPI } from '#kit/print/units.ts'
import { begin } from '../../client/ready.ts'

export const PROOF_DOTS = [8, 12] as const
export type ProofDots = (typeof PROOF_DOTS)[number]

export type Proved = {
  bitmap: Bitmap
  faults: readonly Fault[]
  /** Codes that were read back; null while they are being read. */
  read: number | null
  codes: number
  /** Those of them that are QR codes. */
  qrCodes: number
  /** What stands in the way of publishing with the longest data alone, and is not seen with these. */
  hidden: number
}
export type Proof = Readonly<Record<ProofDots, Proved>> | null

/** After so long without a change it is worth the work. */
const PAUSE_MS = 350

/** The label as it is printed, and what a scanner reads of it; follows the draft after a pause. */
export function useProof(label: Label, data: LabelData, glyphs: Glyphs | null): Proof {
  const [proof, setProof] = useState<Proof>(null)
  useEffect(() => {
    if (!glyphs) return
    const stop = new AbortController()
    const end = begin()
    const timer = setTimeout(
      () => void prove(label, data, glyphs, stop.signal, setProof).finally(end),
      PAUSE_MS,
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
      end()
    }
  }, [label, data, glyphs])
  return proof
}

async function prove(
  label: Label,
  data: LabelData,
  glyphs: Glyphs,
  signal: AbortSignal,
  tell: (proof: Proof) => void,
): Promise<void> {
  const scenes = PROOF_DOTS.map(dots => ({ dots, scene: sceneOf(label, data, { dots, glyphs }) }))
  const begun = scenes.map(({ dots, scene }) => ({
    ...{ dots, scene, ...codesOf(scene) },
    bitmap: rasterOf(scene, glyphs, dots),
    faults: faultsOf(label, data, { dots, glyphs }),
    longest: faultsOf(label, SAMPLES.longest, { dots, glyphs }),
  }))
  const told = (unread: readonly (readonly string[] | null)[]) => {
    const [low, high] = begun.map((one, at) => provedOf(label, one, unread[at] ?? null))
    if (low && high) tell({ 8: low, 12: high })
  }
  told([null, null])
  const { scanBitmap } = await import('../../print/scan.ts')
  const unread: string[][] = []
  for (const { bitmap, codes, scene } of begun) {
    if (signal.aborted) return
    unread.push(codes === 0 ? [] : unreadItems(scene, await scanBitmap(bitmap)))
  }
  if (!signal.aborted) told(unread)
}

function codesOf({ marks }: Scene) {
  const codes = marks.filter(mark => mark.kind === 'bars')
  return { codes: codes.length, qrCodes: codes.filter(({ symbology }) => symbology === 'qrcode').length }
}

type Begun = {
  dots: ProofDots
  codes: number
  qrCodes: number
  scene: Scene
  bitmap: Bitmap
  faults: readonly Fault[]
  longest: readonly Fault[]
}

function provedOf(
  label: Label,
  { dots, codes, qrCodes, bitmap, faults, longest }: Begun,
  unread: readonly string[] | null,
): Proved {
  const known = new Set(faults.filter(({ stops }) => stops).map(({ item }) => item))
  const found = (unread ?? [])
    // What is known to be too fine or too wide is not told twice.
    .filter(item => !known.has(item))
    .map((item): Fault => {
      const named = label.items.find(({ id }) => id === item)
      return {
        ...{ item, kind: 'codeFine', stops: true },
        words: `${named ? itemName(named) : '条码'}：${DPI[dots]} dpi 下扫不出来`,
        help: codeWords(named ?? { kind: 4 }, '加宽或加大条码，四周留出空白，不与其他内容重叠'),
      }
    })
  const isSeen = ({ item, kind }: Fault) => faults.some(one => one.item === item && one.kind === kind)
  return {
    ...{ bitmap, codes, qrCodes, faults: [...faults, ...found] },
    hidden: longest.filter(one => one.stops && !isSeen(one)).length,
    read: unread && codes - unread.length,
  }
}

/** Ids that something stands in the way of, at any resolution. */
export function useFaulty(proof: Proof): ReadonlySet<string> {
  return useMemo(() => {
    const faults = proof ? PROOF_DOTS.flatMap(dots => proof[dots].faults) : []
    return new Set(faults.flatMap(({ item, stops }) => (item !== null && stops ? [item] : [])))
  }, [proof])
}
