// An archive from its first byte to its certificates, wherever its bytes go: the program of the background and the command make it alike.
import { createHash } from 'node:crypto'
import { checkpointKey } from '#server/checkpoints/key.ts'
import type { Services } from '#server/ctx.ts'
import { archive, type Counted, type Subject } from './server-archive.ts'
import { type Inner, type Outer, signedLine, textHashOf } from './server-certificate.ts'
import { openSnapshot, type Pace } from './server-snapshot.ts'

export type MadeArchive = { outer: Outer; certificate: string }

/** `put` takes the bytes somewhere and is done once they lie there. */
export async function makeArchive(
  services: Services,
  { subject, counted, pace }: { subject: Subject; counted: Counted; pace: Pace },
  put: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<MadeArchive> {
  const key = checkpointKey(services.env)
  const snapshot = await openSnapshot(services.database.pool, subject.agentId, pace)
  const signed: { line: string; inner: Inner }[] = []
  const digest = createHash('sha256')
  let bytes = 0
  async function* counting(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      digest.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  try {
    const onSigned = (line: string, inner: Inner) => void signed.push({ line, inner })
    await put(counting(archive({ services, snapshot, subject, key, counted, onSigned })))
  } finally {
    snapshot.end()
  }
  const [within] = signed
  if (!within) throw new Error('the archive ended without its certificate')
  const { before: _, entries, ...told } = within.inner
  const outer: Outer = {
    ...told,
    entries: entries.length,
    bytes,
    sha256: digest.digest('hex'),
    madeAt: services.clock.now().toISOString(),
    inner: textHashOf(within.line),
  }
  return { outer, certificate: signedLine(outer, key) }
}
