import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import test, { describe } from 'node:test'
import { CallbackRejected } from '#kit/ports/providers.ts'
import { messageOf, sealed } from './simulator-messages.ts'
import { aesKeyOf, decryptMessage, isSigned, readXml, signatureOf, textIn, treeIn } from './wire.ts'

/** Published, and agreed by several public programs. */
const VECTOR = {
  token: 'pamtest',
  encodingAesKey: 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
  appid: 'wxb11529c136998cb6',
  text: '我是中文abcd123',
  random: 'aaaabbbbccccdddd',
  sealed: 'jn1L23DB+6ELqJ+6bruv21Y6MD7KeIfP82D6gU39rmkgczbWwt5+3bnyg5K55bgVtVzd832WzZGMhkP72vVOfg==',
}
const rejected = (work: () => unknown, reason = 'content') =>
  assert.throws(work, (error: unknown) => error instanceof CallbackRejected && error.reason === reason)

describe('the published vector', () => {
  test('is decrypted', () => {
    assert.equal(decryptMessage(VECTOR, VECTOR.sealed), VECTOR.text)
  })
  test('is signed', () => {
    const signature = '82c962d39941aa48552f90ef55aa323dc620cc10'
    const parts = [VECTOR.token, '1409304348', 'xxxxxx', VECTOR.sealed]
    assert.equal(signatureOf(...parts), signature)
    assert.ok(isSigned(signature, ...parts))
    for (const wrong of [
      undefined,
      '',
      signature.toUpperCase(),
      `${signature}0`,
      signature.replace('8', '9'),
    ])
      assert.ok(!isSigned(wrong, ...parts))
  })
  test('is what the simulator makes of the same random bytes, and is read back of others', () => {
    const plainOf = (text: string) => {
      const body = Buffer.from(VECTOR.text)
      const size = Buffer.alloc(4)
      size.writeUInt32BE(body.length)
      return Buffer.concat([Buffer.from(text), size, body, Buffer.from(VECTOR.appid)])
    }
    assert.equal(encrypted(plainOf(VECTOR.random)), VECTOR.sealed)
    for (const text of ['', '<xml/>', '字'.repeat(500)])
      assert.equal(decryptMessage(VECTOR, sealed(VECTOR, text)), text)
  })
})

/** With blocks of 32 bytes; `padding` in place of the right one. */
function encrypted(plain: Buffer, padding = 32 - (plain.length % 32), times = padding): string {
  const key = aesKeyOf(VECTOR.encodingAesKey) as Buffer
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  return Buffer.concat([
    cipher.update(Buffer.concat([plain, Buffer.alloc(times, padding)])),
    cipher.final(),
  ]).toString('base64')
}

describe('no message for us', () => {
  test('for another third party', () => {
    rejected(() => decryptMessage({ ...VECTOR, appid: 'wxb11529c136998cb7' }, VECTOR.sealed))
    rejected(() => decryptMessage({ ...VECTOR, appid: 'wx' }, VECTOR.sealed))
  })
  test('under another key, or a key that is none', () => {
    rejected(() => decryptMessage({ ...VECTOR, encodingAesKey: 'B'.repeat(43) }, VECTOR.sealed))
    rejected(() => decryptMessage({ ...VECTOR, encodingAesKey: 'short' }, VECTOR.sealed))
    assert.equal(aesKeyOf('我'.repeat(43)), null)
  })
  test('cut, empty, padded wrongly, or with a length that is a lie', () => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(4_000_000_000)
    const lie = Buffer.concat([Buffer.alloc(16), size, Buffer.from(VECTOR.appid)])
    const short = encrypted(Buffer.alloc(10), 22)
    for (const wrong of ['', 'AAAA', VECTOR.sealed.slice(0, 40), encrypted(lie), short]) {
      rejected(() => decryptMessage(VECTOR, wrong))
    }
    rejected(() => decryptMessage(VECTOR, encrypted(Buffer.alloc(31), 0, 1)))
    rejected(() => decryptMessage(VECTOR, encrypted(Buffer.alloc(31), 200, 1)))
  })
})

describe('XML', () => {
  test('is read as far as the platform uses it', () => {
    const tree = readXml(
      '<?xml version="1.0"?>\n<xml>\n <A><![CDATA[a<b&c]]></A><B>1 &amp; &#20013;&#x56fd;</B><info><name>n</name><empty/></info><L>1</L><L>2</L></xml>\n',
    )
    assert.equal(textIn(tree, 'A'), 'a<b&c')
    assert.equal(textIn(tree, 'B'), '1 & 中国')
    assert.deepEqual({ ...treeIn(tree, 'info') }, { name: 'n', empty: '' })
    assert.deepEqual(tree.L, ['1', '2'])
    assert.equal(textIn(tree, 'info'), '')
    assert.deepEqual(treeIn(tree, 'A'), {})
    assert.equal(textIn(tree, 'toString'), '')
  })
  const WRONG: [title: string, text: string][] = [
    ['nothing', ''],
    ['another root', '<html></html>'],
    ['a text alone', '<xml>text</xml>'],
    ['an element that does not end', '<xml><A>1</xml>'],
    ['more behind it', '<xml><A>1</A></xml><xml></xml>'],
    ['a document type', '<!DOCTYPE xml [<!ENTITY a "b">]><xml><A>&a;</A></xml>'],
    ['an entity of its own', '<xml><A>&a;</A></xml>'],
    ['an ampersand', '<xml><A>a & b</A></xml>'],
    ['a character that is none', '<xml><A>&#9999999;</A></xml>'],
    ['an attribute', '<xml><A b="c">1</A></xml>'],
    ['a comment', '<xml><!-- --><A>1</A></xml>'],
    ['text between elements', '<xml>a<A>1</A></xml>'],
    ['a depth without end', `<xml>${'<A>'.repeat(50)}${'</A>'.repeat(50)}</xml>`],
  ]
  for (const [title, text] of WRONG) test(`${title} is refused`, () => rejected(() => readXml(text)))
})

test('a message of the simulator has another nonce each time, and its signature fits', () => {
  const [one, other] = [1, 2].map(() => messageOf(VECTOR, '<xml/>', '', Date.UTC(2026, 0, 1)))
  assert.notEqual(one?.body, other?.body)
  const { timestamp = '', nonce = '', msg_signature } = one?.query ?? {}
  const inside = textIn(readXml(one?.body ?? ''), 'Encrypt')
  assert.ok(isSigned(msg_signature, VECTOR.token, timestamp, nonce, inside))
})
