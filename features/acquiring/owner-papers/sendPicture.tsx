// A picture on its way, part by part: what has arrived is not sent again.
import { newKey } from '#web/client/api.ts'
import { base64Of } from '#web/form/files/base64.ts'
import type { Shrinking } from '#web/form/files/shrink-picture.ts'
import { ownerPapersApi } from './ownerPapersApi.tsx'
import { LIMITS, type OwnerPaperName } from './rules.ts'

/** Readable at a glance, and small enough for a phone's network. */
export const SHRINKINGS: readonly Shrinking[] = [
  { side: 2_400, quality: 0.85 },
  { side: 2_000, quality: 0.8 },
  { side: 1_600, quality: 0.75 },
  { side: 1_280, quality: 0.7 },
]
export const MOST_BYTES = 1_536 * 1_024

export type Sending = { paper: OwnerPaperName; blob: Blob; upload: string; done: number; parts: number }

export function newSending(paper: OwnerPaperName, blob: Blob): Sending {
  const parts = Math.max(1, Math.ceil(blob.size / LIMITS.partBytes))
  return { paper, blob, upload: newKey(), done: 0, parts }
}

/** Goes on behind the parts that have arrived; `onPart` hears of each. Rejects where one does not, to be called again with what is left. */
export async function sendPicture(
  code: string,
  sending: Sending,
  onPart: (sending: Sending) => void,
): Promise<void> {
  const { paper, blob, upload, parts } = sending
  for (let part = sending.done; part < parts; part += 1) {
    const from = part * LIMITS.partBytes
    const body = await base64Of(blob.slice(from, from + LIMITS.partBytes))
    await ownerPapersApi.sendPart({ code, paper, upload, part, body })
    onPart({ ...sending, done: part + 1 })
  }
  await ownerPapersApi.keepPicture({ code, paper, upload, parts })
}
