// Feedback of a shop: written with pictures, answered and rated by what the office's door offers. Pictures are sent before the message
// that names them, and shown from here, since a browser has no key.
import { randomUUID } from 'node:crypto'
import type { Copy, Shop } from './copy.ts'
import type { Door } from './door.ts'
import { conversationPage, type Told, type Written } from './feedback-pages.ts'
import type { Said } from './markup.ts'

/** Acts whose pictures are remembered, so that a form which is sent twice names the same ones. */
const ACTS = 200

export type Feedback = {
  listOf(shopId: number): Promise<Told[]>
  /** The page of one, which counts as seen once it is shown. */
  pageOf(shop: Shop, id: number, said: Said): Promise<string>
  /** The bytes of a picture, and what they are. */
  picture(id: string): Promise<{ type: string; bytes: Buffer }>
  /** Files what the form says, or says it in the one that is named; answers which it is. */
  write(shopId: number, form: FormData, id: number | null): Promise<number>
  rate(id: number, form: FormData): Promise<void>
}

export function makeFeedback(door: Door, copy: Copy): Feedback {
  const sent = new Map<string, Promise<string[]>>()

  async function send(shopId: number, form: FormData): Promise<string[]> {
    const files = form.getAll('pictures').filter(one => typeof one !== 'string' && one.size > 0) as File[]
    const ids: string[] = []
    for (const file of files) {
      const data = Buffer.from(await file.arrayBuffer()).toString('base64')
      const { body } = await door.call('threads.keepPicture', { id: shopId, data })
      ids.push((body as { id: string }).id)
    }
    return ids
  }

  function picturesOf(shopId: number, form: FormData, act: string): Promise<string[]> {
    const sending = sent.get(act) ?? send(shopId, form)
    sent.set(act, sending)
    sending.catch(() => sent.delete(act))
    for (const old of [...sent.keys()].slice(0, -ACTS)) sent.delete(old)
    return sending
  }

  return {
    async listOf(shopId) {
      const { body } = await door.call('threads.ofShop', { id: shopId })
      return (body as { threads: Told[] }).threads
    },
    async pageOf(shop, id, said) {
      const written = (await door.call('threads.thread', { id })).body as Written
      const last = written.messages.at(-1)
      if (written.unread && last) await door.call('threads.read', { id, upTo: last.id })
      return conversationPage(copy, { shop, written, said, act: randomUUID })
    },
    async picture(id) {
      const { type, data } = (await door.call('threads.picture', { id })).body as {
        type: string
        data: string
      }
      return { type, bytes: Buffer.from(data, 'base64') }
    },
    async write(shopId, form, id) {
      const act = textIn(form, 'act')
      const pictures = await picturesOf(shopId, form, act)
      const said = { text: textIn(form, 'text'), pictures }
      if (id !== null) {
        await door.call('threads.answer', { id, ...said }, { act })
        return id
      }
      return ((await door.call('threads.file', { id: shopId, ...said }, { act })).body as { id: number }).id
    },
    async rate(id, form) {
      const given = {
        messageId: Number(textIn(form, 'message')),
        satisfaction: textIn(form, 'satisfaction'),
        resolution: textIn(form, 'resolution'),
      }
      await door.call('threads.rate', { id, ...given }, { act: textIn(form, 'act') })
    },
  }
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
