// A conversation of two sides about one thing: how much is said in it, what is refused of a message, and how long somebody is taken to be
// there. Features add their own sides, words and states. Pure.

export const TALK_LIMITS = {
  text: 500,
  pictures: 5,
  /** Messages that are shown of one conversation, the latest. */
  messages: 300,
} as const

/** Who looks says so every so often, who types more often; both are believed for a little longer. */
export const PRESENCE = { sayEveryMs: 20_000, typingEveryMs: 4_000, seenForS: 45, typingForS: 8 } as const

/** The codes of what is refused of a message; each feature has its words for them. */
export type MessageCode = 'CONTENT_REQUIRED' | 'CONTENT_TOO_LONG' | 'PICTURES_TOO_MANY'

export function refuseText(text: string): Exclude<MessageCode, 'PICTURES_TOO_MANY'> | null {
  const { length } = [...text.trim()]
  if (length === 0) return 'CONTENT_REQUIRED'
  return length > TALK_LIMITS.text ? 'CONTENT_TOO_LONG' : null
}

export function refusePictures(count: number): 'PICTURES_TOO_MANY' | null {
  return count > TALK_LIMITS.pictures ? 'PICTURES_TOO_MANY' : null
}

/** Told to whoever comes second. */
export function answeredText(name: string): string {
  return `已由${name}回复，请查看后再发送`
}

/** Who else is there, in a sentence; empty: nobody. */
export function presenceText(people: readonly { name: string; typing: boolean }[]): string {
  const named = (some: typeof people) => some.map(({ name }) => name).join('、')
  const typing = people.filter(one => one.typing)
  if (typing.length > 0) return `${named(typing)} 正在回复…`
  return people.length > 0 ? `${named(people)} 也在查看` : ''
}
