// The text of a PDF that Chromium made, page by page.
import { inflateSync } from 'node:zlib'

type Objects = Map<number, { head: string; stream: string }>

/** What stands on each page, in the order in which it was drawn. */
export function pagesOf(pdf: Buffer): string[] {
  const objects = objectsOf(pdf.toString('latin1'))
  const pages = [...objects.values()].filter(({ head }) => /\/Type\s*\/Page\b(?!s)/.test(head))
  return pages.map(({ head }) => {
    const fonts = new Map(
      [...inner(head, objects).matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [
        name as string,
        charactersOf(objects, Number(id)),
      ]),
    )
    const content = objects.get(Number(/\/Contents (\d+) 0 R/.exec(head)?.[1]))?.stream ?? ''
    return textOf(content, fonts)
  })
}

function objectsOf(text: string): Objects {
  const found = text.matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g)
  return new Map(
    [...found].map(([, id, body = '']) => {
      const at = body.indexOf('stream')
      if (at < 0) return [Number(id), { head: body, stream: '' }]
      const bytes = body.slice(at + 6).replace(/^\r?\n/, '')
      const length = Number(/\/Length (\d+)/.exec(body)?.[1])
      const raw = Buffer.from(bytes.slice(0, length), 'latin1')
      const stream = body.slice(0, at).includes('/FlateDecode') ? inflated(raw) : bytes
      return [Number(id), { head: body.slice(0, at), stream }]
    }),
  )
}

function inflated(raw: Buffer): string {
  try {
    return inflateSync(raw).toString('latin1')
  } catch {
    // A picture's or a font's own bytes, in which no text stands.
    return ''
  }
}

/** The page's resources, where they stand in an object of their own. */
function inner(head: string, objects: Objects): string {
  const id = /\/Resources (\d+) 0 R/.exec(head)?.[1]
  return id ? (objects.get(Number(id))?.head ?? '') : head
}

/** The characters of a font's glyphs. */
function charactersOf(objects: Objects, id: number): Map<number, string> {
  const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1]
  const text = objects.get(Number(map))?.stream ?? ''
  const characters = new Map<number, string>()
  const spoken = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')
  for (const [, body = ''] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', hex = ''] of body.matchAll(/<(\w+)>\s*<(\w+)>/g))
      characters.set(Number.parseInt(glyph, 16), spoken(hex))
  for (const [, body = ''] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', to = '', hex = ''] of body.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let glyph = Number.parseInt(from, 16), at = 0; glyph <= Number.parseInt(to, 16); glyph++, at++)
        characters.set(glyph, String.fromCodePoint(Number.parseInt(hex, 16) + at))
  return characters
}

function textOf(content: string, fonts: Map<string, Map<number, string>>): string {
  let font = new Map<number, string>()
  let wide = 4
  const words: string[] = []
  for (const [, name, hex] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
    if (name) {
      font = fonts.get(name) ?? new Map()
      wide = Math.max(...font.keys()) > 0xff ? 4 : wide
    } else
      for (let at = 0; hex && at < hex.length; at += wide)
        words.push(font.get(Number.parseInt(hex.slice(at, at + wide), 16)) ?? '')
  }
  return plain(words.join(''))
}

/** A font's table may name a character by the radical that looks like it. */
export function plain(text: string): string {
  return text.normalize('NFKC').replaceAll('\u2eda', '页').replaceAll('戶', '户').replaceAll(' ', '')
}
