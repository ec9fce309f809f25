// A client of the calls as the documents have them (D1 §7, D2 §7, D3 §7, Response envelopes): it knows their names, their two envelopes and
// their signature, and nothing of ours.
import { createHash, randomUUID } from 'node:crypto'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** "the uppercase md5 of the sorted values of the password's md5, the timestamp and the nonce" (D1 §7). */
export function signed(password: string, timestamp: string, nonce: string): string {
  return md5([md5(password), timestamp, nonce].sort().join('')).toUpperCase()
}

export type Answer = {
  status: number
  /** Which of the two envelopes it came in. */
  envelope: 'values' | 'data' | 'file'
  ok: boolean
  // biome-ignore lint/suspicious/noExplicitAny: a client of old knows no shapes.
  value: any
  error: string
  headers: Headers
}

type Params = Record<string, unknown>

export type CompatClient = {
  token: string
  signIn(userName: string, password: string): Promise<Answer>
  get(path: string, params?: Params): Promise<Answer>
  /** As JSON. */
  post(path: string, params?: Params): Promise<Answer>
  /** As a form. */
  form(path: string, params?: Params): Promise<Answer>
  upload(path: string, field: string, picture: Blob, params?: Params): Promise<Answer>
}

export function compatClient(host: string): CompatClient {
  const query = (params: Params) =>
    new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
    )
  const send = async (path: string, init: RequestInit, params: Params = {}): Promise<Answer> => {
    const key: Params = client.token === '' ? {} : { key: client.token }
    const asked = String(query({ ...params, ...key }))
    return read(await fetch(`${host}${path}${asked === '' ? '' : `?${asked}`}`, init))
  }
  const client: CompatClient = {
    token: '',
    async signIn(userName, password) {
      const [timestamp, nonce] = [String(Date.now()), randomUUID()]
      const signature = signed(password, timestamp, nonce)
      const answer = await client.post('/UserInfo/AppLogin', { signature, timestamp, nonce, userName })
      if (answer.ok) client.token = answer.value.access_token
      return answer
    },
    get: (path, params) => send(path, {}, params),
    post: (path, params = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(params),
      }),
    form: (path, params = {}) => send(path, { method: 'POST', body: query(params) }),
    upload(path, field, picture, params = {}) {
      const body = new FormData()
      for (const [name, value] of Object.entries(params)) body.set(name, String(value))
      body.set(field, picture, 'picture.png')
      return send(path, { method: 'POST', body })
    },
  }
  return client
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response
  if (!headers.get('content-type')?.includes('json'))
    return {
      status,
      headers,
      envelope: 'file',
      ok: response.ok,
      value: await response.arrayBuffer(),
      error: '',
    }
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const body = (await response.json()) as any
  if ('succeed' in body)
    return { status, headers, envelope: 'values', ok: body.succeed, value: body.values, error: body.errmsg }
  return { status, headers, envelope: 'data', ok: body.code === 1, value: body.data, error: body.msg }
}
