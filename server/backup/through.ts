// Bytes on their way through something. Nothing moves before somebody reads, and what fails fails there: whoever is given a stream may have
// something else to do first.
import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export function through(source: Readable, change: Transform): Readable {
  async function* read() {
    const sent = pipeline(source, change)
    // What is read of `change` fails with the same.
    sent.catch(() => undefined)
    yield* change as AsyncIterable<Buffer>
    await sent
  }
  const made = Readable.from(read(), { objectMode: false })
  made.once('close', () => source.destroy())
  return made
}

/** How many bytes passed, and their digest, are known once all have passed. */
export function measured(source: Readable): {
  stream: Readable
  told(): { byteSize: number; sha256: string }
} {
  const hash = createHash('sha256')
  let byteSize = 0
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      byteSize += chunk.length
      done(null, chunk)
    },
  })
  return { stream: through(source, meter), told: () => ({ byteSize, sha256: hash.digest('hex') }) }
}
