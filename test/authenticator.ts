// A key that makes and uses passkeys as a browser's would, with a counter that a test may turn back.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Asked = { token: string; options: Record<string, unknown> }

const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** Present, verified; with a credential of its own where it is new. */
const FLAGS = { used: 0x05, made: 0x45 }

/** The few kinds of values that a key writes (RFC 8949). */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(pair => pair.map(cbor))])
}

export function makeAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  const id = randomBytes(16)
  const key = {
    counter: 0,
    origin,
    clientData: (type: string, options: Record<string, unknown>) =>
      Buffer.from(
        JSON.stringify({ type, challenge: options.challenge, origin: key.origin, crossOrigin: false }),
      ),
    authData(rpId: string, flags: number, rest = Buffer.alloc(0)) {
      const counter = Buffer.alloc(4)
      counter.writeUInt32BE(key.counter)
      return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, rest])
    },
    make({ token, options }: Asked) {
      const cose = new Map<unknown, unknown>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as const),
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(cose)])
      const { id: rpId } = options.rp as { id: string }
      const attestation = new Map<unknown, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', key.authData(rpId, FLAGS.made, credential)],
      ])
      return {
        token,
        response: {
          ...{ id: b64(id), rawId: b64(id), type: 'public-key', clientExtensionResults: {} },
          response: {
            clientDataJSON: b64(key.clientData('webauthn.create', options)),
            attestationObject: b64(cbor(attestation)),
            transports: ['internal'],
          },
        },
      }
    },
    use({ token, options }: Asked) {
      key.counter += 1
      const authData = key.authData(String(options.rpId), FLAGS.used)
      const clientData = key.clientData('webauthn.get', options)
      const signed = createSign('sha256')
        .update(Buffer.concat([authData, sha256(clientData)]))
        .sign(privateKey)
      return {
        token,
        response: {
          ...{ id: b64(id), rawId: b64(id), type: 'public-key', clientExtensionResults: {} },
          response: {
            clientDataJSON: b64(clientData),
            authenticatorData: b64(authData),
            signature: b64(signed),
          },
        },
      }
    },
  }
  return key
}
