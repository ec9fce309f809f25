// One HTTP call to a provider: bounded in time, and whatever is no answer is ProviderUnknown.
import { ProviderUnknown, type Surroundings } from '#kit/providers.ts'

export type Answer = { status: number; headers: Headers; body: Buffer }

/** Rejects with ProviderUnknown on a time-out or a cut connection; any HTTP status is an answer. */
export async function call(
  { fetch, timeoutMs }: Pick<Surroundings, 'fetch' | 'timeoutMs'>,
  url: string,
  init: RequestInit,
): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    }
  } catch (error) {
    throw new ProviderUnknown(`no answer from ${new URL(url).host}`, error)
  }
}
