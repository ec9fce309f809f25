// One HTTP call to a provider: bounded in time, and whatever is no answer is ProviderUnknown.
import { ProviderUnknown, ProviderUnreadable, type Surroundings } from '#kit/ports/providers.ts'

export type Answer = { status: number; headers: Headers; body: Buffer }

/** Rejects with ProviderUnknown on a time-out, a cut connection, or more than `most` bytes; any HTTP status is an answer. */
export async function call(
  { fetch, timeoutMs }: Pick<Surroundings, 'fetch' | 'timeoutMs'>,
  url: string,
  init: RequestInit,
  most = Number.POSITIVE_INFINITY,
): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    return {
      status: response.status,
      headers: response.headers,
      body: await bytesOf(response, most),
    }
  } catch (error) {
    if (error instanceof ProviderUnreadable) throw error
    throw new ProviderUnknown(`no answer from ${new URL(url).host}`, error)
  }
}

/** Read no further than it may be long. */
async function bytesOf({ body, url }: Response, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > most) throw new ProviderUnreadable(`${url} answered more than ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
